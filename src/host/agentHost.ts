import type * as vscode from 'vscode';
import { DisposableStore } from '../util/disposable';
import { createLazy } from '../util/lazy';
import type { RegisteredTools } from './api/registeredTools';
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
import type { OutputLog } from './outputLog';
import { openPanel } from './panel/openPanel';
import type { PanelController } from './panel/panelController';
import { openWorkspaceTools } from './ports/openWorkspaceTools';
import { openWindowModels } from './openWindowModels';
import { openSessions } from './sessions/openSessions';
import { currentWorkspace } from './sessions/currentWorkspace';
import { sessionsDirectory } from './sessions/sessionsLocation';
import { readSettings } from './settings/settings';

export interface AgentHostParts {
  readonly context: vscode.ExtensionContext;
  readonly log: OutputLog;
  /** The tools that other extensions have registered. */
  readonly registeredTools: RegisteredTools;
  readonly originals: OriginalProvider;
  readonly proposals: ProposalFileSystem;
}

/** The agent behind the panel, the commands and VS Code's chat. */
export interface AgentHost {
  readonly panel: PanelController;
  readonly commands: AgentCommands;
  /** Offers the person's models to other extensions. */
  readonly chatModels: vscode.LanguageModelChatProvider;
  /** Answers in VS Code's own chat view. */
  readonly answerInChat: vscode.ChatRequestHandler;
  /** Ends the sessions when the window closes. Resolves when partial answers are written and commands have ended. */
  readonly dispose: () => Promise<void>;
}

/** Composes the agent with VS Code around it. */
export function createAgentHost({ context, log, registeredTools, originals, proposals }: AgentHostParts): AgentHost {
  const owned = new DisposableStore();
  const onInternalError = log.error;
  const { workspaceState: memory, secrets } = context;
  const storage = context.globalStorageUri.fsPath;
  const opened = currentWorkspace();
  const directory = sessionsDirectory(storage, opened);

  const models = openWindowModels({ context, owned, onInternalError });
  const tools = openWorkspaceTools({ storage, sessionsDirectory: directory, owned, onInternalError });
  const isOnScreen = (sessionId: string): boolean => panel.isActive(sessionId);
  const approvals = openApprovals({ memory, tools, originals, proposals, isOnScreen, owned, onInternalError });
  const sessions = openSessions({
    directory,
    workspace: opened?.uri ?? null,
    memory: context.globalState,
    models,
    tools,
    approvals,
    registeredTools,
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
  const panel: PanelController = openPanel({ memory, models, tools, approvals, sessions, originals, log, owned });
  const attention = openAttention({ models, sessions, panel, owned, onInternalError });
  const endpoint = createLazy(async () => {
    const { openEndpoint } = await import('./endpoint/openEndpoint');
    return openEndpoint({ secrets, workspace: opened?.uri ?? '', registry, served, panel, attention, log });
  });
  const commitMessages = createLazy(async () => {
    const { CommitMessages } = await import('./sourceControl/commitMessages');
    const { settings, server } = models;
    return new CommitMessages({
      ...models.access,
      settings,
      serverAt: (baseUrl) => server.serverAt(baseUrl),
      logger: log,
      note: (message) => log.info(message),
    });
  });
  owned.add(followChanges({ ...models, registry, panel, offered, log }));

  return {
    panel,
    commands: createCommands({ models, approvals, sessions, panel, attention, endpoint, commitMessages, log }),
    chatModels: createChatModels(offered),
    answerInChat: createAnswerInChat({ registry, chatSessions, access: tools.access }),
    async dispose() {
      // Runs end first: the window may still have to show their end.
      const serving = endpoint.ifLoaded()?.then((loaded) => loaded.dispose());
      await Promise.all([serving, registry.dispose(), tools.background.dispose(), mcp.dispose()]);
      owned.dispose();
      await tools.settled();
    },
  };
}
