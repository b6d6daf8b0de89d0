// First: modules translate their constants when they are loaded.
import './host/translations';
import path from 'node:path';
import * as vscode from 'vscode';
import { createApi } from './host/api/createApi';
import type { OpenAgentApi } from './host/api/openAgentApi';
import { RegisteredTools } from './host/api/registeredTools';
import { registerParticipant } from './host/chatParticipant/registerParticipant';
import { ProblemActions } from './host/commands/problems/problemActions';
import { registerCommands } from './host/commands/registerCommands';
import { closeOrphans } from './host/diffPreview/closeProposals';
import { OriginalProvider } from './host/diffPreview/originalProvider';
import { ProposalFileSystem } from './host/diffPreview/proposalFileSystem';
import { registerChatModels } from './host/languageModels/registerChatModels';
import type * as AgentHostModule from './host/agentHost';
import { OutputLog } from './host/outputLog';
import { PanelView } from './host/panel/page/panelView';
import { chatTabType } from './host/panel/page/chatTabType';
import { TerminalHistory } from './host/terminal/terminalHistory';
import { areContentsLogged } from './host/settings/logSettings';
import { CodeCache } from './util/codeCache';
import { createLazy, type Lazy } from './util/lazy';

type AgentHost = AgentHostModule.AgentHost;

/** The first prompts are answered by then, so the cache has most functions. */
const SAVE_CODE_AFTER_MS = 60_000;

let host: Lazy<AgentHost> | undefined;

/** Composes the extension. Heavy parts are behind `createLazy`: the panel, a command or VS Code's chat loads them. */
export function activate(context: vscode.ExtensionContext): OpenAgentApi {
  const log = new OutputLog({
    create: () => vscode.window.createOutputChannel('Open Agent', { log: true }),
    areContentsLogged,
  });
  const originals = new OriginalProvider();
  const proposals = new ProposalFileSystem();
  const terminalHistory = new TerminalHistory({ onInternalError: log.error });
  const registeredTools = new RegisteredTools({ onInternalError: log.error });
  const lazyHost: Lazy<AgentHost> = createLazy(async () => {
    const loaded = loadAgentHost(context).createAgentHost({
      context,
      log,
      registeredTools,
      originals,
      proposals,
      terminalHistory,
    });
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
    terminalHistory,
    vscode.workspace.registerFileSystemProvider(ProposalFileSystem.scheme, proposals, { isCaseSensitive: true }),
    vscode.workspace.registerTextDocumentContentProvider(OriginalProvider.scheme, originals),
    vscode.window.registerWebviewViewProvider(PanelView.viewId, panelView),
    vscode.window.registerWebviewPanelSerializer(chatTabType, {
      deserializeWebviewPanel: async (tab, state) => (await lazyHost.get()).tabs.deserializeWebviewPanel(tab, state),
    }),
    registerCommands({ host: lazyHost, log }),
    ProblemActions.register(),
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

/** Loads the agent, which the build puts into files of its own beside this one (`esbuild.js`). */
function loadAgentHost({
  globalStorageUri,
  extension,
  subscriptions,
}: vscode.ExtensionContext): typeof AgentHostModule {
  const { version } = extension.packageJSON as { readonly version: string };
  const code = new CodeCache(path.join(globalStorageUri.fsPath, 'code-cache'), version);
  const saving = setTimeout(() => code.save(), SAVE_CODE_AFTER_MS);
  subscriptions.push({ dispose: () => clearTimeout(saving) });
  return code.load(path.join(__dirname, 'agentHost.js')) as typeof AgentHostModule;
}

/** VS Code waits a few seconds for this. */
export async function deactivate(): Promise<void> {
  await (await host?.ifLoaded())?.dispose();
}
