import * as l10n from '../../util/l10n';
/** The commands that need no agent, without their prefix `openAgent.`. */
export const windowCommands = ['showLog', 'openSettings', 'getStarted'] as const;

/** The commands of the agent, without their prefix. With `windowCommands` they are all that package.json declares. */
export const agentCommands = [
  'newSession',
  'renameSession',
  'deleteSession',
  'restoreSession',
  'forkSession',
  'compactSession',
  'exportSession',
  'importSession',
  'showSession',
  'restoreCheckpoint',
  'focusChat',
  'moveToSecondarySideBar',
  'moveToPrimarySideBar',
  'openChatInEditor',
  'stop',
  'addToChat',
  'copyMessage',
  'copyAsMarkdown',
  'explainSelection',
  'fixSelection',
  'explainProblems',
  'fixProblems',
  'fixTestFailure',
  'runTests',
  'editHere',
  'discardEditHere',
  'continueEditInChat',
  'generateCommitMessage',
  'stopCommitMessage',
  'reviewChanges',
  'fixFinding',
  'dismissFinding',
  'dismissFindings',
  'acceptEdit',
  'rejectEdit',
  'acceptHunk',
  'rejectHunk',
  'reviewEdits',
  'reviewProposedEdits',
  'acceptAllEdits',
  'rejectAllEdits',
  'selectMode',
  'manageRules',
  'selectExtensionTools',
  'showMcpServers',
  'findServers',
  'setAddress',
  'setUpModel',
  'useLaptop',
  'importSettings',
  'checkServer',
  'examineModels',
  'setApiKey',
  'selectModel',
  'selectProfile',
  'selectToolCalls',
  'forgetServerQuirks',
  'loadModel',
  'unloadModel',
  'serve',
  'stopServing',
  'quickMenu',
  'endpointActions',
  'replaceEndpointToken',
] as const;

export type WindowCommand = (typeof windowCommands)[number];
export type AgentCommand = (typeof agentCommands)[number];

/** Runs a command. A rejection is shown to the person. */
export type RunCommand = (...args: readonly unknown[]) => Promise<void>;
export type AgentCommands = Readonly<Record<AgentCommand, RunCommand>>;

export const noEditOpen = (): string =>
  l10n.t('No proposed edit is open in the editor, or it has been decided already.');
export const noEditWaits = (): string => l10n.t('No proposed edit waits for an answer.');
export const noReviewOpen = (): string =>
  l10n.t('Open the review of all proposed edits first: only what it shows is decided.');

const nothing = (): string => '';

/** The commands that load no agent: without one they only show this text. Empty: nothing. */
export const textsWithoutAgent: { readonly [name in AgentCommand]?: () => string } = {
  stop: nothing,
  stopCommitMessage: nothing,
  discardEditHere: nothing,
  continueEditInChat: nothing,
  dismissFindings: nothing,
  acceptEdit: noEditOpen,
  rejectEdit: noEditOpen,
  acceptHunk: noEditOpen,
  rejectHunk: noEditOpen,
  reviewProposedEdits: noEditWaits,
  acceptAllEdits: noReviewOpen,
  rejectAllEdits: noReviewOpen,
};
