import * as vscode from 'vscode';
import { createApi } from './host/api/createApi';
import type { OpenAgentApi } from './host/api/openAgentApi';
import { RegisteredTools } from './host/api/registeredTools';
import { registerParticipant } from './host/chatParticipant/registerParticipant';
import { registerCommands } from './host/commands/registerCommands';
import { closeOrphans } from './host/diffPreview/closeProposals';
import { OriginalProvider } from './host/diffPreview/originalProvider';
import { ProposalFileSystem } from './host/diffPreview/proposalFileSystem';
import { registerChatModels } from './host/languageModels/registerChatModels';
import type { AgentHost } from './host/agentHost';
import { OutputLog } from './host/outputLog';
import { PanelView } from './host/panel/panelView';
import { areContentsLogged } from './host/settings/logSettings';
import { createLazy, type Lazy } from './util/lazy';

let host: Lazy<AgentHost> | undefined;

/** Composes the extension. Heavy parts are behind `createLazy`: the panel, a command or VS Code's chat loads them. */
export function activate(context: vscode.ExtensionContext): OpenAgentApi {
  const log = new OutputLog({
    create: () => vscode.window.createOutputChannel('Open Agent', { log: true }),
    areContentsLogged,
  });
  const originals = new OriginalProvider();
  const proposals = new ProposalFileSystem();
  const registeredTools = new RegisteredTools({ onInternalError: log.error });
  const lazyHost: Lazy<AgentHost> = createLazy(async () => {
    const { createAgentHost } = await import('./host/agentHost');
    const loaded = createAgentHost({ context, log, registeredTools, originals, proposals });
    chatModels.follow(loaded.chatModels);
    return loaded;
  });
  const chatModels = registerChatModels(lazyHost);
  host = lazyHost;
  const panelView = new PanelView({
    extensionUri: context.extensionUri,
    host: async () => (await lazyHost.get()).panel,
    onError: log.error,
  });

  context.subscriptions.push(
    log,
    vscode.workspace.registerFileSystemProvider(ProposalFileSystem.scheme, proposals, { isCaseSensitive: true }),
    vscode.workspace.registerTextDocumentContentProvider(OriginalProvider.scheme, originals),
    vscode.window.registerWebviewViewProvider(PanelView.viewId, panelView),
    registerCommands({ host: lazyHost, log }),
    chatModels,
    registerParticipant(lazyHost, context.extensionUri),
    registeredTools,
    closeOrphans(proposals, log.error),
  );
  return createApi({
    tools: registeredTools,
    extensions: () => vscode.extensions.all,
    ownId: context.extension.id,
  });
}

/** VS Code waits a few seconds for this. */
export async function deactivate(): Promise<void> {
  await (await host?.ifLoaded())?.dispose();
}
