import * as vscode from 'vscode';
import type { WindowModels } from '../../openWindowModels';

/** Lets the person choose a model server on their laptop for remote windows. */
export async function useLaptop({ laptop, server }: Pick<WindowModels, 'laptop' | 'server'>): Promise<void> {
  if (!laptop.isRemote) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'This window is not connected to a remote, so Open Agent uses the servers of this machine already.',
      ),
    );
    return;
  }
  if (!(await laptop.choose())) return;
  const configuration = vscode.workspace.getConfiguration('openAgent');
  // A change of the setting has the server looked up.
  if (laptop.isOn) await server.refresh();
  else await configuration.update('useLaptop', true, vscode.ConfigurationTarget.Global);
}
