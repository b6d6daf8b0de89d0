import * as vscode from 'vscode';
import { notificationText } from '../../notificationText';
import type { WindowModels } from '../../openWindowModels';

export async function selectModel({ server }: Pick<WindowModels, 'server'>): Promise<void> {
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Asking the model server for its models' },
    () => server.refresh({ quiet: server.models.length > 0 }),
  );
  if (server.models.length === 0) return offerSettings(server);
  const chosen = await vscode.window.showQuickPick(items(server), {
    title: `Model at ${server.baseUrl ?? 'the server'}`,
    placeHolder: 'Used in this workspace from the next message on',
    matchOnDescription: true,
  });
  if (chosen) await server.selectModel(chosen.label);
}

function items({ models, selectedModel }: WindowModels['server']): vscode.QuickPickItem[] {
  return models.map(({ id, contextWindow }) => {
    const notes = [
      contextWindow !== undefined && `${contextWindow.toLocaleString('en')} tokens`,
      id === selectedModel && 'in use',
    ].filter((note) => note !== false);
    return { label: id, description: notes.join(', ') };
  });
}

async function offerSettings({ state }: WindowModels['server']): Promise<void> {
  const message =
    state.kind === 'failed'
      ? state.message
      : state.kind === 'no_models'
        ? `The server at ${state.baseUrl} lists no models. Load one there and try again.`
        : 'No model server was found on this machine. Start one, or set the address of yours.';
  const [setUp, settings] = ['Set Up a Model', 'Open Settings'];
  const action = await vscode.window.showWarningMessage(notificationText(message), setUp, settings);
  if (action === setUp) await vscode.commands.executeCommand('openAgent.setUpModel');
  if (action === settings) await vscode.commands.executeCommand('openAgent.openSettings');
}
