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
  'src/agent/runSummary/runNotice.ts',
  'src/agent/servers/doctor/',
  'src/agent/servers/remedies.ts',
  'src/workspace/shell/commandReasons.ts',
  'src/workspace/shell/dangers/',
];

/** Kept few: a position that never holds a text belongs into `textPositions.ts`. */
export const exemptions: readonly Exemption[] = [
  { file: 'src/agent/runSummary/runNotice.ts', text: 'type check', reason: 'An id.' },
  { file: 'src/agent/servers/remedies.ts', text: /^(--|ollama pull|lms load)/, reason: 'To copy into a command line.' },
  { file: 'src/agent/servers/doctor/checks/streaming.ts', text: 'proxy_buffering off;', reason: 'A setting of nginx.' },
  { file: 'src/agent/servers/doctor/askModel.ts', text: /^The provider ended/, reason: 'An error for developers.' },
  {
    file: 'src/agent/servers/doctor/',
    text: /^(Do exactly what|Which words? ha|Write the |Line \{\} of|You answer with|Gives the word|The number of)/,
    reason: 'Questions to the model.',
  },
  { file: 'src/webview/approval/ApprovalForm.tsx', text: 'VS Code', reason: 'A product.' },
  { file: 'src/webview/conversation/TextItemView.tsx', text: 'Open Agent', reason: 'A product.' },
  { file: 'src/webview/server/ConnectionHelp.tsx', text: /^(Ollama|LM Studio)$/, reason: 'Products.' },
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
  { file: 'src/agent/view/prompt/instructionSections.ts', reason: 'The model reads it, or it is kept and compared.' },
];
