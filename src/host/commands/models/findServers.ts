import * as vscode from 'vscode';
import type { ServerProbe } from '../../../agent/servers/probe/serverProbe';
import { signalOf } from '../../cancellation';
import type { WindowModels } from '../../openWindowModels';

/** Looks for model servers on this machine and writes the address of the picked one into the user's settings. */
export async function findServers({ server }: Pick<WindowModels, 'server'>): Promise<void> {
  const found = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Looking for model servers on this machine'),
      cancellable: true,
    },
    async (_progress, token) => {
      const { signal, dispose } = signalOf(token);
      try {
        return await server.findServers(signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        dispose();
      }
    },
  );
  if (!found) return;
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'No model server answers on the usual ports of this machine. Start one, or set the address of yours.',
      ),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(
    found.map((probe) => pickItem(probe, server.baseUrl)),
    {
      title: vscode.l10n.t('Model Servers on This Machine'),
      placeHolder: vscode.l10n.t('Writes the address into your settings'),
      matchOnDetail: true,
    },
  );
  if (!picked) return;
  const configuration = vscode.workspace.getConfiguration('openAgent');
  await configuration.update('baseUrl', picked.baseUrl, vscode.ConfigurationTarget.Global);
}

function pickItem(probe: ServerProbe, used: string | undefined): vscode.QuickPickItem & { readonly baseUrl: string } {
  const { baseUrl } = probe;
  const description = baseUrl === used ? vscode.l10n.t('{0}, in use', baseUrl) : baseUrl;
  if (!probe.ok) {
    const label =
      probe.error.code === 'unauthorized' ? vscode.l10n.t('Needs an API key') : vscode.l10n.t('Is loading its model');
    return { baseUrl, label, description };
  }
  const ids = probe.models.map(({ id }) => id);
  const detail =
    ids.length === 0 ? vscode.l10n.t('no models') : `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`;
  return { baseUrl, label: probe.name, description, detail };
}
