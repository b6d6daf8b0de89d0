import type { Lazy } from '../../util/lazy';
import type { Approvals } from '../approvals/openApprovals';
import type { Attention } from '../attention/attention';
import type { WindowEndpoint } from '../endpoint/openEndpoint';
import type { OutputLog } from '../outputLog';
import type { PanelController } from '../panel/panelController';
import type { WindowModels } from '../openWindowModels';
import type { CommitMessages } from '../sourceControl/commitMessages';
import type { Sessions } from '../sessions/openSessions';
import type { AgentCommands, RunCommand } from './commandTable';
import { addToChat } from './context/addToChat';
import { copyMessage } from './context/copyMessage';
import { acceptEdit, decideHunk, rejectEdit } from './edits/decideEdit';
import { acceptAllEdits, rejectAllEdits, reviewEdits, reviewProposedEdits } from './edits/reviewEdits';
import { changeLoadedModel } from './models/changeLoadedModel';
import { findServers } from './models/findServers';
import { forgetServerQuirks } from './models/forgetServerQuirks';
import { selectModel } from './models/selectModel';
import { selectProfile } from './models/selectProfile';
import { selectToolCalls } from './models/selectToolCalls';
import { setApiKey } from './models/setApiKey';
import { manageRules } from './permissions/manageRules';
import { selectExtensionTools } from './permissions/selectExtensionTools';
import { selectMode } from './permissions/selectMode';
import { showMcpServers } from './permissions/showMcpServers';
import { fixProblems, submitProblems } from './problems/submitProblems';
import { fixSelection, submitSelection } from './selection/submitSelection';
import { checkServer, focusChat, newSession, showSession } from './sessions/panelCommands';
import { quickMenu } from './quickMenu';
import { compactSession } from './sessions/compactSession';
import { restoreCheckpoint } from './sessions/restoreCheckpoint';
import {
  deleteSession,
  exportSession,
  forkSession,
  importSession,
  renameSession,
  restoreSession,
  sessionMeant,
} from './sessions/sessionCommands';

export interface CommandParts {
  readonly models: WindowModels;
  readonly approvals: Approvals;
  readonly sessions: Sessions;
  readonly panel: PanelController;
  readonly attention: Attention;
  /** Loaded by the first command about it. */
  readonly endpoint: Lazy<WindowEndpoint>;
  /** Loaded by the first commit message. */
  readonly commitMessages: Lazy<CommitMessages>;
  readonly log: OutputLog;
}

/** Gives each command of the agent the parts that it needs. */
export function createCommands(parts: CommandParts): AgentCommands {
  const { models, approvals, sessions, panel, attention, endpoint, commitMessages, log } = parts;
  const { registry, mcp, vscodeTools } = sessions;
  /** The session whose id is given, or the one on screen. */
  const ofSession =
    (run: (agent: Pick<CommandParts, 'panel'> & Pick<Sessions, 'registry'>, id: string) => Promise<void>): RunCommand =>
    async (given) => {
      const id = sessionMeant(panel, given);
      if (id !== undefined) await run({ panel, registry }, id);
    };
  return {
    newSession: () => newSession({ panel }),
    renameSession: ofSession(renameSession),
    deleteSession: ofSession(deleteSession),
    restoreSession: () => restoreSession({ panel, registry }),
    forkSession: ofSession(forkSession),
    compactSession: ofSession(compactSession),
    exportSession: ofSession(exportSession),
    importSession: () => importSession({ panel, registry }),
    showSession: (id) => showSession({ panel }, id),
    restoreCheckpoint: () => restoreCheckpoint({ panel }),
    focusChat: () => focusChat({ panel }),
    stop: () => panel.stop(),
    addToChat: (item, selected) => addToChat({ panel }, item, selected),
    copyMessage: (context) => copyMessage({ panel }, context, 'text'),
    copyAsMarkdown: (context) => copyMessage({ panel }, context, 'markdown'),
    explainSelection: () => submitSelection({ panel }, 'explain'),
    fixSelection: () => fixSelection({ panel }),
    explainProblems: (meant) => submitProblems({ panel }, meant, 'explain'),
    fixProblems: (meant) => fixProblems({ panel }, meant),
    generateCommitMessage: async (sourceControl) => (await commitMessages.get()).write(sourceControl),
    stopCommitMessage: async () => (await commitMessages.ifLoaded())?.stop(),
    acceptEdit: (editor) => acceptEdit(approvals, editor),
    rejectEdit: (editor) => rejectEdit(approvals, editor),
    acceptHunk: (...place) => decideHunk(approvals, place, true),
    rejectHunk: (...place) => decideHunk(approvals, place, false),
    reviewEdits: () => reviewEdits(approvals),
    reviewProposedEdits: () => reviewProposedEdits(approvals),
    acceptAllEdits: () => acceptAllEdits(approvals),
    rejectAllEdits: () => rejectAllEdits(approvals),
    selectMode: () => selectMode(models),
    manageRules: () => manageRules({ rules: approvals.rules, log }),
    selectExtensionTools: () => selectExtensionTools({ vscodeTools }),
    showMcpServers: () => showMcpServers({ mcp, registry, log }),
    findServers: () => findServers(models),
    checkServer: () => checkServer({ panel }),
    setApiKey: () => setApiKey({ ...models, registry }),
    selectModel: () => selectModel(models),
    selectProfile: () => selectProfile(models),
    selectToolCalls: () => selectToolCalls(models),
    forgetServerQuirks: () => forgetServerQuirks({ ...models, registry }),
    loadModel: (id) => changeLoadedModel(models, id, true),
    unloadModel: (id) => changeLoadedModel(models, id, false),
    serve: async () => (await endpoint.get()).start(),
    stopServing: async () => (await endpoint.get()).stop(),
    quickMenu: async () => quickMenu({ attention, panel, endpoint: await endpoint.ifLoaded() }),
    endpointActions: async () => (await endpoint.get()).chooseAction(),
    replaceEndpointToken: async () => (await endpoint.get()).replaceToken(),
  };
}
