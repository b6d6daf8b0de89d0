import * as vscode from 'vscode';
import { registerCommands } from './host/commands/registerCommands';
import { closeOrphans } from './host/diffPreview/closeProposals';
import { OriginalProvider } from './host/diffPreview/originalProvider';
import { ProposalFileSystem } from './host/diffPreview/proposalFileSystem';
import type { LazyHost } from './host/lazyHost';
import { OutputLog } from './host/log/outputLog';
import { PanelView } from './host/panel/panelView';
import { areContentsLogged } from './host/settings/logSettings';
import { createLazy } from './util/lazy';

let host: LazyHost | undefined;

/** Composes the extension. Everything heavy is behind `createLazy` and comes with the panel or a command. */
export function activate(context: vscode.ExtensionContext): void {
  const log = new OutputLog({
    create: () => vscode.window.createOutputChannel('Open Agent', { log: true }),
    areContentsLogged,
  });
  const originals = new OriginalProvider();
  const proposals = new ProposalFileSystem();
  const lazyHost: LazyHost = createLazy(async () => {
    const { createAgentHost } = await import('./host/agentHost');
    return createAgentHost({ context, log, originals, proposals });
  });
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
    closeOrphans(proposals, log.error),
  );
}

/** VS Code waits for this, for a few seconds. */
export async function deactivate(): Promise<void> {
  await (await host?.ifLoaded())?.dispose();
}
