/** A literal that is not translated although it looks like a text for people. */
export interface Exemption {
  /** The file, or the start of its path. */
  readonly file: string;
  /** The text as `readSourceTexts` gives it. Absent: every text of the file. */
  readonly text?: string | RegExp;
  /** Why no person reads it, or why people read it in English. */
  readonly reason: string;
}

/** The folders and files of `src` whose texts are all translated. Another one is added when it is done. */
export const translatedParts: readonly string[] = [
  'src/webview/',
  'src/agent/view/',
  'src/agent/approval/callReasons.ts',
  'src/agent/approval/editHazards.ts',
  'src/agent/approval/rules/',
  'src/agent/configuration/agentSettings.ts',
  'src/agent/exam/results/examReport.ts',
  'src/agent/importSettings/',
  'src/agent/runSummary/runNotice.ts',
  'src/agent/servers/learnedQuirks.ts',
  'src/agent/servers/model/chooseModel.ts',
  'src/agent/servers/doctor/',
  'src/agent/servers/remedies.ts',
  'src/localModel/download/',
  'src/localModel/pull/',
  'src/localModel/setUp/setUpText.ts',
  'src/sdk/model/errors/httpErrors.ts',
  'src/workspace/shell/commandReasons.ts',
  'src/workspace/shell/commandRules.ts',
  'src/workspace/shell/dangers/',
  'src/host/',
  'src/extension.ts',
  'src/bridge/',
];

/** Kept few: a position that never holds a text belongs into `textPositions.ts`. */
export const exemptions: readonly Exemption[] = [
  { file: 'src/localModel/download/transferRate.ts', text: /^\{\} (GB|MB|kB)$/, reason: 'Units.' },
  { file: 'src/localModel/pull/pullModel.ts', text: /^(Ollama|LM Studio)$/, reason: 'Products.' },
  { file: 'src/localModel/setUp/setUpText.ts', text: 'llama-server: {}', reason: 'A program.' },
  { file: 'src/sdk/model/errors/httpErrors.ts', text: '{} answered {}: {}', reason: 'For the log.' },
  { file: 'src/sdk/model/errors/httpErrors.ts', text: /n_ctx/, reason: 'Names of fields.' },
  { file: 'src/agent/runSummary/runNotice.ts', text: 'type check', reason: 'An id.' },
  { file: 'src/agent/servers/remedies.ts', text: /^(--|ollama pull|lms load)/, reason: 'To copy into a command line.' },
  { file: 'src/agent/servers/doctor/checks/streaming.ts', text: 'proxy_buffering off;', reason: 'A setting of nginx.' },
  { file: 'src/agent/servers/doctor/askModel.ts', text: /^The provider ended/, reason: 'An error for developers.' },
  {
    file: 'src/agent/servers/doctor/',
    text: /^(Do exactly what|Which words? ha|Write the |Line \{\} of|You answer with|Gives the word|The number of)/,
    reason: 'Questions to the model.',
  },
  { file: 'src/webview/server/ConnectionHelp.tsx', text: /^(llama-server|ollama|lms) /, reason: 'Commands to type.' },
  { file: 'src/webview/composer/context/acceptFiles.ts', text: 'Files', reason: 'A type of dragged data.' },
  { file: 'src/webview/controls/Button.tsx', text: 'button secondary', reason: 'CSS classes.' },
  { file: 'src/webview/conversation/MessageList.tsx', text: 'item item-{}{}', reason: 'CSS classes.' },
  { file: 'src/webview/markdown/MarkdownView.tsx', text: 'auto {}px', reason: 'A CSS size.' },
  { file: 'src/webview/conversation/', text: /^(prompt|question|thinking|tool) \{\}$/, reason: 'Ids.' },
  { file: 'src/webview/markdown/code/codeActions.ts', text: /^\[data-/, reason: 'A selector of the page.' },
  {
    file: 'src/webview/markdown/markdownParser.ts',
    text: /^(<|class=|in link$|math )/,
    reason: 'HTML, and marks in it.',
  },
  { file: 'src/webview/format/toolState.ts', text: '(no output)', reason: 'Compared with the words of a result.' },
  {
    file: 'src/webview/format/toolTitle.ts',
    text: /^(Created|Overwrote)$/,
    reason: 'Compared with the words of a result.',
  },
  { file: 'src/webview/controls/lazyView.ts', text: /^A part of the panel/, reason: 'An error for developers.' },
  { file: 'src/webview/main.tsx', text: /^The page has no element/, reason: 'An error for developers.' },
  { file: 'src/webview/state/usePanel.ts', text: /^This component is outside/, reason: 'An error for developers.' },
  { file: 'src/agent/view/server/doctorReport.ts', text: /^--/, reason: 'Flags of the command line.' },
  {
    file: 'src/agent/approval/rules/permissionRules.ts',
    text: 'the rule "{}" from {}',
    reason: 'A model reads it too.',
  },
  { file: 'src/agent/configuration/agentSettings.ts', text: /^openAgent\./, reason: 'The name of a setting.' },
  { file: 'src/agent/importSettings/findImports.ts', text: '{} (Ollama)', reason: 'The name of a profile.' },
  { file: 'src/agent/importSettings/mcpItem.ts', text: 'server', reason: 'The name of a server.' },
  {
    file: 'src/agent/importSettings/modeItems.ts',
    text: /^must be letters/,
    reason: 'A detail of an error, as from zod.',
  },
  { file: 'src/agent/importSettings/ruleItem.ts', text: /^For files/, reason: 'A part of a prompt.' },
  { file: 'src/workspace/shell/commandRules.ts', text: /^(this|your|what|a file of)/, reason: 'A model reads it too.' },
  { file: 'src/workspace/shell/commandRules.ts', text: /^(sh bash|xargs|sed) /, reason: 'Names of programs.' },
  { file: 'src/agent/importSettings/importPlaces.ts', reason: 'Names of programs and folders.' },
  { file: 'src/agent/view/prompt/instructionSections.ts', reason: 'The model reads it, or it is kept and compared.' },
  {
    file: 'src/',
    text: /^(Open Agent|Open Agent Bridge|Open Agent: \{\}|Ollama|LM Studio|VS Code)$/,
    reason: 'The name of a product.',
  },
  { file: 'src/host/api/', reason: 'Tells authors of other extensions about a wrong call.' },
  { file: 'src/host/ports/', reason: 'A result of a tool: the model reads it.' },
  { file: 'src/host/vscodeTools/', reason: 'A result of a tool: the model reads it.' },
  { file: 'src/host/terminal/terminalCommands.ts', reason: 'A result of a tool: the model reads it.' },
  { file: 'src/bridge/forwarder.ts', text: /^(text\/event-stream|Bearer)/, reason: 'Headers.' },
  { file: 'src/host/outputLog.ts', reason: 'A line of the log.' },
  { file: 'src/host/endpoint/workspaceEndpoint.ts', text: /^(stopped )?serving at /, reason: 'A line of the log.' },
  { file: 'src/webview/markdown/markdownModule.ts', text: /^A \*\*text/, reason: 'A sample that nobody sees.' },
  { file: 'src/host/panel/page/panelHtml.ts', text: /^<|-(src|uri|action) /, reason: 'HTML and its policy.' },
  { file: 'src/host/localModel/setUpDialog.ts', text: 'check', reason: 'The name of an icon.' },
  { file: 'src/host/panel/handleIntent.ts', text: 'Carry out the plan.', reason: 'A prompt.' },
  {
    file: 'src/host/context/changesSource.ts',
    text: /^(Uncommitted c|Committed c|C)hanges|^Commit /,
    reason: 'The title of changes in a prompt.',
  },
  { file: 'src/host/context/pastedFiles.ts', text: /left out|added to the prompt/, reason: 'A part of a prompt.' },
  { file: 'src/host/context/terminalSource.ts', text: /is known: |so its commands /, reason: 'A part of a prompt.' },
  { file: 'src/host/chatParticipant/chatReferences.ts', text: 'Attached', reason: 'A part of a prompt.' },
  {
    file: 'src/host/slashCommands/changesSubject.ts',
    text: /not instructions:$|^uncommitted/,
    reason: 'A part of a prompt.',
  },
  { file: 'src/host/approvals/checkCommand.ts', text: 'npm test', reason: 'A command.' },
  { file: 'src/host/exam/offerResult.ts', text: '{} (examined)', reason: 'The id of a profile in the settings.' },
  { file: 'src/host/attention/attention.ts', text: 'mcp {}', reason: 'An id.' },
  { file: 'src/host/sourceControl/changesToCommit.ts', text: 'New file: {}', reason: 'A part of a prompt.' },
];
