import * as vscode from 'vscode';
import type { LearnedServer } from '../../../agent/servers/learnedQuirks';
import type { WindowModels } from '../../openWindowModels';
import type { Sessions } from '../../sessions/openSessions';

/** Shows the features that servers rejected, and forgets those of the picked one. */
export async function forgetServerQuirks({
  access: { quirks },
  registry,
}: Pick<WindowModels, 'access'> & Pick<Sessions, 'registry'>): Promise<void> {
  const known = quirks.list();
  if (known.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No model server has rejected anything lately.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(known.map(pickItem), {
    title: vscode.l10n.t('Forget What a Server Rejects'),
    placeHolder: vscode.l10n.t('Pick a server that has changed: the next request tries everything again.'),
  });
  if (!picked) return;
  quirks.reset(picked.endpoint);
  registry.reconfigure();
}

function pickItem({ endpoint, model, words }: LearnedServer): vscode.QuickPickItem & { readonly endpoint: string } {
  const detail = words.join(' · ');
  return { endpoint, label: endpoint, description: model ?? vscode.l10n.t('all models'), detail };
}
