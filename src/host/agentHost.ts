import './translations';
import type * as vscode from 'vscode';
import { DisposableStore } from '../util/disposable';
import { createLazy } from '../util/lazy';
import { systemTimer } from '../util/timer';
import type { RegisteredTools } from './api/registeredTools';
import { answeringModel } from './answeringModel';
import { openApprovals } from './approvals/openApprovals';
import { openAttention } from './attention/openAttention';
import { createAnswerInChat } from './chatParticipant/answerInChat';
import type { AgentCommands } from './commands/commandTable';
import { createCommands } from './commands/createCommands';
import type { OriginalProvider } from './diffPreview/originalProvider';
import type { ProposalFileSystem } from './diffPreview/proposalFileSystem';
import { followChanges } from './followChanges';
import { createChatModels } from './languageModels/createChatModels';
import { LocalModels } from './languageModels/localModels';
import { tellCrashes } from './localModel/tellCrashes';
import type { OutputLog } from './outputLog';
import { InstructionChoice } from './context/instructionChoice';
import { ChatTabs } from './panel/page/chatTabs';
import { openPanels } from './panel/openPanels';
import type { PanelController } from './panel/panelController';
import type { Panels } from './panel/panels';
import { openWorkspaceTools } from './ports/openWorkspaceTools';
import { openWindowModels } from './openWindowModels';
import { Reviews } from './review/reviews';
import { openSessions } from './sessions/openSessions';
import { currentWorkspace } from './sessions/currentWorkspace';
import type { TerminalHistory } from './terminal/terminalHistory';
import { sessionsDirectory } from './sessions/sessionsLocation';
import { readSettings } from './settings/settings';
import { createSecretCheck } from './workspace/secretFiles';

export interface AgentHostParts {
  readonly context: vscode.ExtensionContext;
  readonly log: OutputLog;
  /** The tools that other extensions have registered. */
  readonly registeredTools: RegisteredTools;
  readonly originals: OriginalProvider;
  readonly proposals: ProposalFileSystem;
  readonly terminalHistory: TerminalHistory;
}

/** The agent behind the panel, the commands and VS Code's chat. */
export interface AgentHost {
  /** The chat in the side bar. */
  readonly panel: PanelController;
  /** The chats in tabs of editors. */
  readonly tabs: ChatTabs;
  readonly commands: AgentCommands;
  /** Offers the person's models to other extensions. */
  readonly chatModels: vscode.LanguageModelChatProvider;
  /** Answers in VS Code's own chat view. */
  readonly answerInChat: vscode.ChatRequestHandler;
  /** Ends the sessions when the window closes. Resolves when partial answers are written and commands have ended. */
  readonly dispose: () => Promise<void>;
}

/** Composes the agent with VS Code around it. */
export function createAgentHost({
  context,
  log,
  registeredTools,
  originals,
  proposals,
  terminalHistory,
}: AgentHostParts): AgentHost {
  const owned = new DisposableStore();
  const onInternalError = log.error;
  const { workspaceState: memory, secrets } = context;
  const storage = context.globalStorageUri.fsPath;
  const opened = currentWorkspace();
  const directory = sessionsDirectory(storage, opened);

  const models = openWindowModels({ context, owned, onInternalError });
  const tools = openWorkspaceTools({ storage, sessionsDirectory: directory, owned, onInternalError });
  const isOnScreen = (sessionId: string): boolean => panels.isActive(sessionId);
  const approvals = openApprovals({ memory, tools, originals, proposals, isOnScreen, owned, onInternalError });
  const instructionChoice = new InstructionChoice(memory);
  const sessions = openSessions({
    directory,
    workspace: opened?.uri ?? null,
    memory: context.globalState,
    instructionChoice,
    models,
    tools,
    approvals,
    registeredTools,
    scaleImage: (image) => panels.scaleImage(image),
    log,
    owned,
  });
  const { registry, served, chatSessions, mcp } = sessions;
  const offered = owned.add(
    new LocalModels({
      ...models.access,
      server: models.server,
      settings: () => readSettings().settings,
      logger: log,
      note: (message) => log.info(message),
      onInternalError,
    }),
  );
  const panels: Panels = openPanels({
    memory,
    instructionChoice,
    models,
    tools,
    approvals,
    sessions,
    originals,
    terminalHistory,
    log,
    owned,
  });
  const attention = openAttention({ models, sessions, panels, owned, onInternalError });
  owned.add(models.local.onChange(() => attention.showLocal(models.local.doing)));
  owned.add(tellCrashes(models.local, log));
  const endpoint = createLazy(async () => {
    const { openEndpoint } = await import('./endpoint/openEndpoint');
    return openEndpoint({ secrets, workspace: opened?.uri ?? '', registry, served, panels, attention, log });
  });
  const mayHoldSecrets = createSecretCheck(tools.access.ports.fileSystem);
  const commitMessages = createLazy(async () => {
    const { CommitMessages } = await import('./sourceControl/commitMessages');
    return new CommitMessages({ ...answeringModel(models, log), mayHoldSecrets });
  });
  const reviewComments = createLazy(async () => {
    const { ReviewComments } = await import('./review/reviewComments');
    const { FileNames } = await import('../workspace/node/files/fileNames');
    const names = new FileNames({ roots: tools.access.roots, now: Date.now, setTimer: systemTimer });
    const { fileSystem } = tools.access.ports;
    return owned.add(new ReviewComments({ fileSystem, listNames: () => names.all() }));
  });
  const reviews = owned.add(new Reviews({ registry, panels, comments: reviewComments, onInternalError }));
  const editHere = createLazy(async () => {
    const { EditHere } = await import('./editHere/editHere');
    const { approver, preview } = approvals;
    return new EditHere({ model: answeringModel(models, log), access: tools.access, approver, preview, panels });
  });
  const testRuns = createLazy(async () => {
    const { TestRuns } = await import('./testRuns/testRuns');
    const { FileNames } = await import('../workspace/node/files/fileNames');
    const names = new FileNames({ roots: tools.access.roots, now: Date.now, setTimer: systemTimer });
    const { checkCommand } = approvals;
    return new TestRuns({
      access: tools.access,
      panels,
      checkCommand: () => checkCommand.known(),
      listNames: () => names.all(),
    });
  });
  const exam = createLazy(async () => {
    const { openExam } = await import('./exam/openExam');
    return openExam({ models, storage, log });
  });
  owned.add(followChanges({ ...models, registry, panels, offered, log }));
  const tabs = new ChatTabs({ extensionUri: context.extensionUri, panels, onError: onInternalError });

  return {
    panel: panels.sideBar,
    tabs,
    commands: createCommands({
      models,
      approvals,
      sessions,
      panels,
      tabs,
      attention,
      endpoint,
      exam,
      commitMessages,
      reviews,
      editHere,
      testRuns,
      mayHoldSecrets,
      storage,
      log,
    }),
    chatModels: createChatModels(offered),
    answerInChat: createAnswerInChat({ registry, chatSessions, access: tools.access }),
    async dispose() {
      // Runs end first: the window may still have to show their end.
      const examining = exam.ifLoaded()?.then((loaded) => loaded.dispose());
      const serving = endpoint.ifLoaded()?.then((loaded) => loaded.dispose());
      await Promise.all([examining, serving, registry.dispose(), tools.background.dispose(), mcp.dispose()]);
      owned.dispose();
      await tools.settled();
    },
  };
}
