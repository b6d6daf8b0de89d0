import * as l10n from '../../util/l10n';
import type { Lazy } from '../../util/lazy';
import { answeringModel } from '../answeringModel';
import type { Approvals } from '../approvals/openApprovals';
import type { Attention } from '../attention/attention';
import type { WindowExam } from '../exam/windowExam';
import type { WindowEndpoint } from '../endpoint/openEndpoint';
import type { OutputLog } from '../outputLog';
import type { ChatTabs } from '../panel/page/chatTabs';
import type { PanelController } from '../panel/panelController';
import type { Panels } from '../panel/panels';
import type { WindowModels } from '../openWindowModels';
import type { EditHere } from '../editHere/editHere';
import type { TestRuns } from '../testRuns/testRuns';
import type { CommitMessages } from '../sourceControl/commitMessages';
import { reviewChanges } from '../review/reviewChanges';
import type { Reviews } from '../review/reviews';
import type { Sessions } from '../sessions/openSessions';
import type { AgentCommands, RunCommand } from './commandTable';
import { isTrustedToFix } from './isTrustedToFix';
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
import { setAddress } from './models/setAddress';
import { setApiKey } from './models/setApiKey';
import { useLaptop } from './models/useLaptop';
import { manageRules } from './permissions/manageRules';
import { selectExtensionTools } from './permissions/selectExtensionTools';
import { selectMode } from './permissions/selectMode';
import { showMcpServers } from './permissions/showMcpServers';
import type { MayHoldSecrets } from '../workspace/secretFiles';
import { fixTestFailure } from './problems/fixTestFailure';
import { fixProblems, submitProblems } from './problems/submitProblems';
import { fixSelection, submitSelection } from './selection/submitSelection';
import { checkServer, focusChat, moveChat, newSession } from './sessions/panelCommands';
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
  readonly mayHoldSecrets: MayHoldSecrets;
  readonly sessions: Sessions;
  readonly panels: Panels;
  readonly tabs: ChatTabs;
  readonly attention: Attention;
  /** Loaded by the first command about it. */
  readonly endpoint: Lazy<WindowEndpoint>;
  /** Loaded by the first exam. */
  readonly exam: Lazy<WindowExam>;
  /** Loaded by the first commit message. */
  readonly commitMessages: Lazy<CommitMessages>;
  readonly reviews: Reviews;
  /** Loaded by the first edit at the cursor. */
  readonly editHere: Lazy<EditHere>;
  /** Loaded by the first run of tests. */
  readonly testRuns: Lazy<TestRuns>;
  /** The folder that VS Code gives to the extension. */
  readonly storage: string;
  readonly log: OutputLog;
}

/** Gives each command of the agent the parts that it needs. */
export function createCommands(parts: CommandParts): AgentCommands {
  const { models, approvals, panels, endpoint, editHere, reviews, mayHoldSecrets, log } = parts;
  const { registry, mcp, vscodeTools } = parts.sessions;
  /** The chat that a command means is the one in use when it runs. */
  const agent = {
    registry,
    mayHoldSecrets,
    get panel(): PanelController {
      return panels.current;
    },
  };
  /** The session whose id is given, or the one on screen. */
  const ofSession =
    (
      run: (agent: { readonly panel: PanelController } & Pick<Sessions, 'registry'>, id: string) => Promise<void>,
    ): RunCommand =>
    async (given) => {
      const id = sessionMeant(agent.panel, given);
      if (id !== undefined) await run({ registry, panel: agent.panel }, id);
    };
  return {
    newSession: () => newSession(agent),
    renameSession: ofSession(renameSession),
    deleteSession: ofSession(deleteSession),
    restoreSession: () => restoreSession(agent),
    forkSession: ofSession(forkSession),
    compactSession: ofSession(compactSession),
    exportSession: ofSession(exportSession),
    importSession: () => importSession(agent),
    showSession: async (id) => (typeof id === 'string' ? panels.showSession(id) : undefined),
    restoreCheckpoint: () => restoreCheckpoint(agent),
    focusChat: () => focusChat(agent),
    moveToSecondarySideBar: () => moveChat({ panel: panels.sideBar }, 'openAgentSecondary'),
    moveToPrimarySideBar: () => moveChat({ panel: panels.sideBar }, 'openAgent'),
    openChatInEditor: () => parts.tabs.open(panels.current.activeSessionId),
    stop: () => panels.current.stop(),
    addToChat: (...given) => addToChat(agent, ...given),
    copyMessage: (context) => copyMessage(agent, context, 'text'),
    copyAsMarkdown: (context) => copyMessage(agent, context, 'markdown'),
    explainSelection: () => submitSelection(agent, 'explain'),
    fixSelection: () => fixSelection(agent),
    explainProblems: (meant) => submitProblems(agent, meant, 'explain'),
    fixProblems: (meant) => fixProblems(agent, meant),
    fixTestFailure: (failed) => fixTestFailure(panels.current, failed),
    runTests: async () => (await parts.testRuns.get()).start(),
    editHere: async () => {
      if (await isTrustedToFix(l10n.t('Explain Selection'))) await (await editHere.get()).start();
    },
    discardEditHere: async () => (await editHere.ifLoaded())?.discard(),
    continueEditInChat: async () => (await editHere.ifLoaded())?.continueInChat(),
    generateCommitMessage: async (sourceControl) => (await parts.commitMessages.get()).write(sourceControl),
    stopCommitMessage: async () => (await parts.commitMessages.ifLoaded())?.stop(),
    reviewChanges: () => reviewChanges(panels.current, { mayHoldSecrets, model: () => answeringModel(models, log) }),
    fixFinding: (comment) => reviews.fix(comment),
    dismissFinding: (comment) => reviews.dismiss(comment),
    dismissFindings: () => reviews.dismissAll(),
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
    findServers: () => (models.laptop.isOn ? useLaptop(models) : findServers(models)),
    setAddress: () => setAddress(models, panels.current),
    useLaptop: () => useLaptop(models),
    async setUpModel() {
      const { setUpModel } = await import('../localModel/setUpDialog');
      return setUpModel({ models, panel: panels.current, log });
    },
    async importSettings() {
      const { importSettings } = await import('../importSettings/importDialog');
      return importSettings({ models, registry, storage: parts.storage });
    },
    checkServer: () => checkServer(agent),
    examineModels: async () => (await parts.exam.get()).start(),
    setApiKey: () => setApiKey({ ...models, registry }),
    selectModel: () => selectModel(models),
    selectProfile: () => selectProfile(models),
    selectToolCalls: () => selectToolCalls(models),
    forgetServerQuirks: () => forgetServerQuirks({ ...models, registry }),
    loadModel: (id) => changeLoadedModel(models, id, true),
    unloadModel: (id) => changeLoadedModel(models, id, false),
    serve: async () => (await endpoint.get()).start(),
    stopServing: async () => (await endpoint.get()).stop(),
    quickMenu: async () => quickMenu({ attention: parts.attention, panels, endpoint: await endpoint.ifLoaded() }),
    endpointActions: async () => (await endpoint.get()).chooseAction(),
    replaceEndpointToken: async () => (await endpoint.get()).replaceToken(),
  };
}
