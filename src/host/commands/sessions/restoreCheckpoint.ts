import * as vscode from 'vscode';
import { titleOf } from '../../../agent/session/prompt';
import type { PanelController } from '../../panel/panelController';

/** Goes back to before a message that the person picks, in the session on screen. */
export async function restoreCheckpoint({ panel }: { readonly panel: PanelController }): Promise<void> {
  const { activeSessionId, prompts } = panel;
  if (activeSessionId === undefined || prompts.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no message to go back to in the session on screen.'),
    );
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    prompts.map(({ id, text, contextLabels }) => ({ label: titleOf(text) || (contextLabels[0] ?? ''), id })),
    { title: vscode.l10n.t('Go Back to an Earlier Message'), placeHolder: vscode.l10n.t('Newest first') },
  );
  if (chosen) await panel.restoreTo(activeSessionId, chosen.id);
}
