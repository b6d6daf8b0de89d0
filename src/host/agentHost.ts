import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ChatSessions } from '../agent/session/chatSessions';
import { RuleStore } from '../agent/approval/ruleStore';
import { UnseenEdits } from '../agent/approval/unseenEdits';
import { createProjectRules } from '../agent/context/projectRules';
import { createAgent } from '../agent/configuration/createAgent';
import { FileClaims } from '../agent/session/fileClaims';
import type { KeyStore } from '../agent/servers/keys';
import type { LearnedQuirks } from '../agent/servers/learnedQuirks';
import { ServedSessions } from '../agent/session/servedSessions';
import { SessionRegistry } from '../agent/session/sessionRegistry';
import { DisposableStore } from '../util/disposable';
import { createLazy, type Lazy } from '../util/lazy';
import { createNodeCommandWorld } from '../workspace/node/commands/nodeCommandWorld';
import { createWindowActions } from './actions/windowActions';
import { asExtensionTool } from './api/asExtensionTool';
import type { RegisteredTools } from './api/registeredTools';
import { VscodeApprover } from './approvals/vscodeApprover';
import { createAnswerInChat } from './chatParticipant/answerInChat';
import { DiffPreview } from './diffPreview/diffPreview';
import type { WindowEndpoint } from './endpoint/openEndpoint';
import type { OriginalProvider } from './diffPreview/originalProvider';
import type { ProposalFileSystem } from './diffPreview/proposalFileSystem';
import { createChatModels } from './languageModels/createChatModels';
import { LocalModels } from './languageModels/localModels';
import type { OutputLog } from './outputLog';
import { WindowMcp } from './mcpServers/windowMcp';
import { PanelController } from './panel/panelController';
import { createMentions } from './panel/createMentions';
import { openWorkspaceTools } from './ports/openWorkspaceTools';
import { createRestoreFlow } from './restore/restoreFlow';
import { ProposedEdits } from './approvals/proposedEdits';
import { EditReview } from './approvals/reviewEdits';
import { RestorePreview } from './restore/restorePreview';
import type { ServerConnection } from '../agent/servers/access/serverConnection';
import { openWindowModels } from './openWindowModels';
import { isInFolders } from './workspace/isInFolders';
import { ServerDoctor } from '../agent/servers/doctor/serverDoctor';
import { openWorkspace } from './workspace/openWorkspace';
import { sessionsDirectory } from './workspace/sessionsLocation';
import type { AgentSelection } from './settings/agentSelection';
import { applySettings } from './settings/applySettings';
import { readQuestionMs } from './settings/endpointSettings';
import { writeToolCalls } from './settings/modelOptionsSetting';
import { userRules, workspaceFileRules } from './settings/ruleSettings';
import { readSettings } from './settings/settings';
import { invokeTool, knownTools } from './vscodeTools/knownTools';
import { VscodeTools } from './vscodeTools/vscodeTools';
import { workspaceRoots } from './workspace/workspaceRoots';
import { systemTimer } from '../util/timer';

export interface AgentHostParts {
  readonly context: vscode.ExtensionContext;
  readonly log: OutputLog;
  /** What other extensions have registered. */
  readonly registeredTools: RegisteredTools;
  readonly originals: OriginalProvider;
  readonly proposals: ProposalFileSystem;
}

/** Everything behind the panel and the commands. */
export interface AgentHost {
  readonly panel: PanelController;
  readonly registry: SessionRegistry;
  readonly approver: VscodeApprover;
  readonly preview: DiffPreview;
  readonly server: ServerConnection;
  readonly agents: AgentSelection;
  readonly rules: RuleStore;
  readonly review: EditReview;
  readonly proposedEdits: ProposedEdits;
  readonly mcp: WindowMcp;
  readonly keys: KeyStore;
  readonly quirks: LearnedQuirks;
  /** The agent for other programs, loaded when it is first wanted. */
  readonly endpoint: Lazy<WindowEndpoint>;
  readonly vscodeTools: VscodeTools;
  /** The person's models, for other extensions. */
  readonly chatModels: vscode.LanguageModelChatProvider;
  /** Answers in VS Code's own chat view. */
  readonly answerInChat: vscode.ChatRequestHandler;
  /** Sets how a model calls tools, in the user's settings. */
  readonly setToolCalls: typeof writeToolCalls;
  /** Has every session take the key, server and model of now at its next run. */
  readonly reconfigure: () => void;
  /** Ends the sessions as a closing window does: partial answers are on file, commands have ended. */
  readonly dispose: () => Promise<void>;
}

/** Composes the agent with VS Code around it. */
export function createAgentHost({ context, log, registeredTools, originals, proposals }: AgentHostParts): AgentHost {
  const { workspace } = vscode;
  const owned = new DisposableStore();
  const onInternalError = log.error;
  const memory = context.workspaceState;
  const {
    access: modelAccess,
    settings,
    selection,
    agents,
    server,
  } = openWindowModels({
    context,
    owned,
    onInternalError,
  });
  const { keys, quirks, fetch } = modelAccess;
  const preview = owned.add(new DiffPreview({ originals, proposals, onInternalError }));
  const approver = owned.add(
    new VscodeApprover({ preview, isOnScreen: (sessionId) => panel.isActive(sessionId), onInternalError }),
  );
  const opened = openWorkspace();
  const storage = context.globalStorageUri.fsPath;
  const directory = sessionsDirectory(storage, opened);
  const tools = openWorkspaceTools({ storage, sessionsDirectory: directory, owned, onInternalError });
  const { access, checkpoints, background } = tools;
  const { fileSystem } = access.ports;
  const rules = new RuleStore({
    memory: remembered(memory, 'openAgent.allowedCommands'),
    userSettings: userRules,
    workspaceFiles: workspaceFileRules,
    onInternalError,
  });
  const unseenEdits = new UnseenEdits({ memory: remembered(memory, 'openAgent.unseenEdits'), onInternalError });
  const mcp = new WindowMcp({
    memory: context.globalState,
    homeDirectory: homedir(),
    fetch,
    log,
    onReconfigured: () => registry.reconfigure(),
    onInternalError,
  });
  const review = new EditReview({ unseenEdits, blobs: checkpoints.blobs, fileSystem, originals });
  const proposedEdits = owned.add(new ProposedEdits({ approver, preview, review, onInternalError }));
  const vscodeTools = owned.add(
    new VscodeTools({ known: knownTools, invoke: invokeTool, memory: context.globalState, onInternalError }),
  );
  const chatSessions = new ChatSessions();
  const connect = createAgent({
    settings: () => ({ ...settings(), ...server.target }),
    ...access,
    isTrusted: () => workspace.isTrusted,
    ...modelAccess,
    serverAt: (baseUrl) => server.serverAt(baseUrl),
    rules,
    unseenEdits,
    checkpoints,
    extensionTools: () => [...registeredTools.current.map(asExtensionTool), ...vscodeTools.current],
    mcp: () => mcp.offer(),
    commandMachine: createNodeCommandWorld(),
    fetch,
    logger: log,
    note: (message) => log.info(message),
    platform: process.platform,
  });
  const served = owned.add(new ServedSessions({ questionMs: readQuestionMs, setTimer: systemTimer, onInternalError }));
  const registry = new SessionRegistry({
    directory,
    claims: new FileClaims(),
    commandLine: {
      directory: path.join(homedir(), '.open-agent', 'sessions'),
      belongs: (uri) => isInFolders(uri, workspaceRoots()),
    },
    createClient: served.createClient(async (input) => {
      await server.ensure();
      return connect(chatSessions.wrap(input));
    }),
    approver,
    workspace: opened?.uri ?? null,
    permissionMode: () => settings().permissionMode,
    projectRules: createProjectRules({ fileSystem, roots: workspaceRoots, isTrusted: () => workspace.isTrusted }),
    isUnseen: (path) => unseenEdits.has(path),
    onInternalError,
  });
  owned.add(registeredTools.onChange(() => registry.reconfigure()));
  owned.add(vscodeTools.onChange(() => registry.reconfigure()));
  const models = owned.add(
    new LocalModels({
      settings: () => readSettings().settings,
      server,
      ...modelAccess,
      logger: log,
      note: (message) => log.info(message),
      onInternalError,
    }),
  );
  owned.add(server.onChange(() => models.reconsider()));
  const doctor = owned.add(
    new ServerDoctor({
      server,
      settings,
      access: modelAccess,
      logger: log,
      onLearned: () => registry.reconfigure(),
      onInternalError,
    }),
  );
  const panel: PanelController = owned.add(
    new PanelController({
      registry,
      approver,
      server,
      agents,
      settingProblems: () => readSettings().problems,
      mcp,
      mentions: createMentions({
        access,
        isServer: (name) => mcp.summaries.some((server) => server.name === name),
      }),
      ruleProblems: () => rules.problems,
      reviewEdits: () => review.show(),
      reviewProposedEdits: (sessionId) => proposedEdits.show(sessionId),
      doctor,
      memory,
      restore: createRestoreFlow({
        checkpoints,
        fileSystem,
        roots: workspaceRoots,
        preview: new RestorePreview({ originals, ...checkpoints }),
      }),
      background,
      actions: createWindowActions({
        fileSystem,
        roots: workspaceRoots,
        outputFile: (id) => tools.outputs.fileOf(id),
      }),
      forgetQuirks: () => {
        quirks.reset(server.baseUrl);
        registry.reconfigure();
      },
      isTrusted: () => workspace.isTrusted,
      hasFolder: () => workspaceRoots().length > 0,
      schedule: systemTimer,
      log,
    }),
  );

  const endpoint = createLazy(async () => {
    const { openEndpoint } = await import('./endpoint/openEndpoint');
    return openEndpoint({ secrets: context.secrets, workspace: opened?.uri ?? '', registry, served, panel, log });
  });

  owned.add(applySettings({ server, selection, agents, registry, log }));
  owned.add(
    approver.onChange(
      () => void vscode.commands.executeCommand('setContext', 'openAgent.isEditProposed', approver.hasPendingEdit),
    ),
  );
  owned.add(
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('openAgent')) return;
      panel.stateChanged();
      models.reconsider();
    }),
  );
  owned.add(workspace.onDidGrantWorkspaceTrust(() => panel.stateChanged()));
  owned.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      registry.reconfigure();
      panel.stateChanged();
    }),
  );

  return {
    panel,
    registry,
    approver,
    preview,
    server,
    agents,
    rules,
    review,
    proposedEdits,
    mcp,
    keys,
    quirks,
    endpoint,
    vscodeTools,
    chatModels: createChatModels(models),
    answerInChat: createAnswerInChat({ registry, chatSessions }),
    setToolCalls: writeToolCalls,
    reconfigure: () => registry.reconfigure(),
    async dispose() {
      // First what runs: it may still want to be shown.
      const serving = endpoint.ifLoaded()?.then((loaded) => loaded.dispose());
      await Promise.all([serving, registry.dispose(), background.dispose(), mcp.dispose()]);
      owned.dispose();
      await tools.settled();
    },
  };
}

/** One value of the workspace's memory. */
function remembered(memory: vscode.Memento, key: string) {
  return { read: () => memory.get<unknown>(key), write: (value: unknown) => memory.update(key, value) };
}
