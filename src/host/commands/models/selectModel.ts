import * as vscode from 'vscode';
import { notificationText } from '../../notificationText';
import type { WindowModels } from '../../openWindowModels';

export async function selectModel({ server }: Pick<WindowModels, 'server'>): Promise<void> {
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Asking the model server for its models') },
    () => server.refresh({ quiet: server.models.length > 0 }),
  );
  if (server.models.length === 0) return offerSettings(server);
  const chosen = await vscode.window.showQuickPick(items(server), {
    title: server.baseUrl === undefined ? vscode.l10n.t('Select Model') : vscode.l10n.t('Model at {0}', server.baseUrl),
    placeHolder: vscode.l10n.t('Used in this workspace from the next message on'),
    matchOnDescription: true,
  });
  if (chosen) await server.selectModel(chosen.label);
}

function items({ models, selectedModel }: WindowModels['server']): vscode.QuickPickItem[] {
  return models.map(({ id, contextWindow }) => {
    const notes = [
      contextWindow !== undefined && vscode.l10n.t('{0} tokens', contextWindow.toLocaleString('en')),
      id === selectedModel && vscode.l10n.t('in use'),
    ].filter((note) => note !== false);
    return { label: id, description: notes.join(', ') };
  });
}

async function offerSettings({ state }: WindowModels['server']): Promise<void> {
  const message =
    state.kind === 'failed'
      ? state.message
      : state.kind === 'no_models'
        ? vscode.l10n.t('The server at {0} lists no models. Load one there and try again.', state.baseUrl)
        : vscode.l10n.t('No model server was found on this machine. Start one, or set the address of yours.');
  const [setUp, settings] = [vscode.l10n.t('Set Up a Model'), vscode.l10n.t('Open Settings')];
  const action = await vscode.window.showWarningMessage(notificationText(message), setUp, settings);
  if (action === setUp) await vscode.commands.executeCommand('openAgent.setUpModel');
  if (action === settings) await vscode.commands.executeCommand('openAgent.openSettings');
}
