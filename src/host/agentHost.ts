import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ChatSessions } from '../agent/chatSessions';
import { RuleStore } from '../agent/approval/ruleStore';
import { UnseenEdits } from '../agent/approval/unseenEdits';
import { commandOptionsOf } from '../agent/agentSettings';
import { createProjectRules } from '../agent/context/projectRules';
import { createAgent } from '../agent/createAgent';
import { FileClaims } from '../agent/fileClaims';
import { CacheWarmer } from '../agent/servers/cacheWarmer';
import { discoverServers } from '../agent/servers/discovery';
import { KeyStore } from '../agent/servers/keys';
import { LearnedQuirks } from '../agent/servers/learnedQuirks';
import type { LoadOutcome } from '../agent/servers/loadModel';
import type { ServerProbe } from '../agent/servers/serverProbe';
import { SlotQueue } from '../agent/servers/slotQueue';
import { ServedSessions } from '../agent/servedSessions';
import { SessionRegistry } from '../agent/sessionRegistry';
import { createFetch } from '../sdk/model/httpTransport';
import { DisposableStore } from '../util/disposable';
import { createLazy, type Lazy } from '../util/lazy';
import { createNodeCommands } from '../workspace/node/createNodeCommands';
import { createNodePorts } from '../workspace/node/createNodePorts';
import { followCommands } from '../workspace/followCommands';
import { createNodeCommandWorld } from '../workspace/node/nodeCommandWorld';
import { createWindowActions } from './actions/windowActions';
import { asExtensionTool } from './api/asExtensionTool';
import type { RegisteredTools } from './api/registeredTools';
import { VscodeApprover } from './approvals/vscodeApprover';
import { createAnswerInChat } from './chatParticipant/answerInChat';
import { createCheckpoints } from './checkpoints/createCheckpoints';
import { DiffPreview } from './diffPreview/diffPreview';
import type { WindowEndpoint } from './endpoint/openEndpoint';
import type { OriginalProvider } from './diffPreview/originalProvider';
import type { ProposalFileSystem } from './diffPreview/proposalFileSystem';
import { createChatModels } from './languageModels/createChatModels';
import { LocalModels } from './languageModels/localModels';
import type { OutputLog } from './log/outputLog';
import { WindowMcp } from './mcpServers/windowMcp';
import { PanelController } from './panel/panelController';
import { createMentions } from './mentions/createMentions';
import { createVscodePorts } from './ports/createVscodePorts';
import { createRestoreFlow } from './restore/restoreFlow';
import { ProposedEdits } from './review/proposedEdits';
import { EditReview } from './review/reviewEdits';
import { RestorePreview } from './restore/restorePreview';
import { systemSchedule } from './schedule';
import { changeLoaded } from './server/changeLoaded';
import { ModelSelection } from './server/modelSelection';
import { ServerConnection } from './server/serverConnection';
import { isInFolders } from './sessions/isInFolders';
import { ServerDoctor } from './server/serverDoctor';
import { openWorkspace } from './sessions/openWorkspace';
import { sessionsDirectory } from './sessions/sessionsLocation';
import { AgentSelection } from './settings/agentSelection';
import { applySettings } from './settings/applySettings';
import { checkpointLimits } from './settings/checkpointSettings';
import { readQuestionMs } from './settings/endpointSettings';
import { writeToolCalls } from './settings/modelOptionsSetting';
import { userRules, workspaceFileRules } from './settings/ruleSettings';
import { readSettings } from './settings/settings';
import { offerOrphans } from './terminal/offerOrphans';
import { inTerminalOrNot, TerminalCommands } from './terminal/terminalCommands';
import { invokeTool, knownTools } from './vscodeTools/knownTools';
import { VscodeTools } from './vscodeTools/vscodeTools';
import { workspaceRoots } from './workspaceRoots';

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
  /** Has the server in use load a model or take it out of memory, and looks at it again. Never rejects. */
  readonly changeLoaded: (model: string, isLoaded: boolean, signal: AbortSignal) => Promise<LoadOutcome>;
  /** Sets how a model calls tools, in the user's settings. */
  readonly setToolCalls: typeof writeToolCalls;
  /** Every server that runs on this machine. Rejects only when `signal` is aborted. */
  readonly findServers: (signal: AbortSignal) => Promise<readonly ServerProbe[]>;
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
  const keys = new KeyStore({ secrets: context.secrets });
  const quirks = new LearnedQuirks({ store: context.globalState, now: Date.now, onInternalError });
  const slots = new SlotQueue();
  const warmer = owned.add(new CacheWarmer({ slots, setTimer: systemSchedule }));
  const fetch = createFetch({ ca: () => readSettings().settings.certificateAuthority });
  const memory = context.workspaceState;
  const selection = new ModelSelection({ memory, setting: () => settings().model });
  const agents: AgentSelection = owned.add(
    new AgentSelection({
      memory,
      settings: () => readSettings().settings,
      forgetModel: () => selection.forget(),
      onInternalError,
    }),
  );
  const settings = () => agents.current.configuration;
  const server = owned.add(
    new ServerConnection({
      settings,
      selection,
      keys,
      fetch,
      slots,
      schedule: systemSchedule,
      learned: (baseUrl, model) => quirks.describe(baseUrl, model),
      onInternalError,
    }),
  );
  owned.add(quirks.onChange(() => server.reconsider()));
  const preview = owned.add(new DiffPreview({ originals, proposals, onInternalError }));
  const approver = owned.add(
    new VscodeApprover({ preview, isOnScreen: (sessionId) => panel.isActive(sessionId), onInternalError }),
  );
  const opened = openWorkspace();
  const storage = context.globalStorageUri.fsPath;
  const directory = sessionsDirectory(storage, opened);
  const nodeCommands = createNodeCommands({
    outputsDirectory: path.join(path.dirname(directory), 'outputs'),
    recordsDirectory: path.join(storage, 'running-commands'),
    onInternalError,
  });
  const background = nodeCommands.ports.backgroundCommands;
  offerOrphans(nodeCommands.records, (message, ...buttons) =>
    vscode.window.showWarningMessage(message, ...buttons),
  ).catch(onInternalError);
  const terminal = owned.add(new TerminalCommands());
  const { commandRunner, ...files } = createVscodePorts({ ...createNodePorts(), ...nodeCommands.ports });
  const commands = followCommands(inTerminalOrNot({ terminal, others: commandRunner }));
  const ports = { ...files, commandRunner: commands };
  const checkpoints = createCheckpoints({
    sessionsDirectory: directory,
    ownFolder: storage,
    fileSystem: ports.fileSystem,
    roots: workspaceRoots,
    limits: checkpointLimits(),
    onInternalError,
  });
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
  const { fileSystem } = ports;
  const review = new EditReview({ unseenEdits, blobs: checkpoints.blobs, fileSystem, originals });
  const proposedEdits = owned.add(new ProposedEdits({ approver, preview, review, onInternalError }));
  const vscodeTools = owned.add(
    new VscodeTools({ known: knownTools, invoke: invokeTool, memory: context.globalState, onInternalError }),
  );
  const commandOptions = () => commandOptionsOf(readSettings().settings);
  const chatSessions = new ChatSessions();
  const connect = createAgent({
    settings: () => ({ ...settings(), ...server.target }),
    ports,
    roots: workspaceRoots,
    isTrusted: () => workspace.isTrusted,
    keys,
    slots,
    quirks,
    warmer,
    serverAt: (baseUrl) => server.serverAt(baseUrl),
    rules,
    unseenEdits,
    checkpoints,
    extensionTools: () => [...registeredTools.current.map(asExtensionTool), ...vscodeTools.current],
    mcp: () => mcp.offer(),
    commandMachine: createNodeCommandWorld(),
    commandOptions,
    fetch,
    logger: log,
    note: (message) => log.info(message),
    platform: process.platform,
  });
  const served = owned.add(
    new ServedSessions({ questionMs: readQuestionMs, setTimer: systemSchedule, onInternalError }),
  );
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
      keys,
      slots,
      quirks,
      fetch,
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
      keys,
      slots,
      quirks,
      fetch,
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
        access: { ports, roots: workspaceRoots, commandOptions },
        isServer: (name) => mcp.summaries.some((server) => server.name === name),
      }),
      ruleProblems: () => rules.problems,
      reviewEdits: () => review.show(),
      reviewProposedEdits: (sessionId) => proposedEdits.show(sessionId),
      doctor,
      memory,
      restore: createRestoreFlow({
        checkpoints,
        fileSystem: ports.fileSystem,
        roots: workspaceRoots,
        preview: new RestorePreview({ originals, ...checkpoints }),
      }),
      background,
      actions: createWindowActions({
        fileSystem: ports.fileSystem,
        roots: workspaceRoots,
        outputFile: (id) => nodeCommands.outputs.fileOf(id),
      }),
      forgetQuirks: () => {
        quirks.reset(server.baseUrl);
        registry.reconfigure();
      },
      isTrusted: () => workspace.isTrusted,
      hasFolder: () => workspaceRoots().length > 0,
      schedule: systemSchedule,
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
    changeLoaded: (model, isLoaded, signal) => changeLoaded({ server, keys, fetch, model, isLoaded, signal }),
    setToolCalls: writeToolCalls,
    findServers: (signal) => discoverServers({ fetch, signal, keyFor: (baseUrl) => keys.get(baseUrl) }),
    reconfigure: () => registry.reconfigure(),
    async dispose() {
      // First what runs: it may still want to be shown.
      const serving = endpoint.ifLoaded()?.then((loaded) => loaded.dispose());
      await Promise.all([serving, registry.dispose(), background.dispose(), mcp.dispose()]);
      owned.dispose();
      await commands.settled();
    },
  };
}

/** One value of the workspace's memory. */
function remembered(memory: vscode.Memento, key: string) {
  return { read: () => memory.get<unknown>(key), write: (value: unknown) => memory.update(key, value) };
}
