import * as vscode from 'vscode';
import { signalOf } from '../../cancellation';
import { notificationText } from '../../notificationText';
import type { WindowModels } from '../../openWindowModels';

/** Loads or unloads a model. `given`: its id, when the panel passes one; otherwise the person picks a model. */
export async function changeLoadedModel(
  { server }: Pick<WindowModels, 'server'>,
  given: unknown,
  isLoaded: boolean,
): Promise<void> {
  await server.ensure();
  if (server.state.kind !== 'connected' || !server.state.canLoad) {
    const name = server.state.kind === 'connected' ? server.state.serverName : vscode.l10n.t('The model server');
    void vscode.window.showInformationMessage(
      notificationText(
        vscode.l10n.t(
          '{0} cannot load or unload models on request. llama.cpp without --model, Ollama and LM Studio 0.4 can.',
          name,
        ),
      ),
    );
    return;
  }
  const model = typeof given === 'string' ? given : await pickModel(server, isLoaded);
  if (model === undefined) return;
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: notificationText(isLoaded ? vscode.l10n.t('Loading {0}', model) : vscode.l10n.t('Unloading {0}', model)),
      cancellable: true,
    },
    async (_progress, token) => {
      const { signal, dispose } = signalOf(token);
      try {
        return await server.changeLoaded(model, isLoaded, signal);
      } finally {
        dispose();
      }
    },
  );
  if (!outcome.ok && outcome.error.code !== 'interrupted') throw new Error(outcome.error.message);
}

async function pickModel(server: WindowModels['server'], isLoaded: boolean): Promise<string | undefined> {
  const fitting = server.models.filter((model) => model.isLoaded !== isLoaded);
  if (fitting.length === 0) {
    void vscode.window.showInformationMessage(
      isLoaded
        ? vscode.l10n.t('Every model of the server is loaded already.')
        : vscode.l10n.t('Every model of the server is unloaded already.'),
    );
    return undefined;
  }
  return vscode.window.showQuickPick(
    fitting.map(({ id }) => id),
    { title: isLoaded ? vscode.l10n.t('Load Model') : vscode.l10n.t('Unload Model') },
  );
}
