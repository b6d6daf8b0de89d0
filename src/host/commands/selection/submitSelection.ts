import * as vscode from 'vscode';
import { explainPrompt, fixPrompt, selectionContext } from '../../../agent/prompts/selection';
import type { PanelController } from '../../panel/panelController';
import { isTrustedToFix } from '../isTrustedToFix';
import { displayPathOf } from '../../workspace/displayPathOf';
import { editorSelection } from './editorSelection';

interface Parts {
  readonly panel: PanelController;
}

/** Sends the selected code, with a prompt about it, to the session in the panel. */
export async function submitSelection({ panel }: Parts, purpose: 'explain' | 'fix'): Promise<void> {
  const selection = editorSelection(({ uri }) => displayPathOf(uri));
  if (!selection) {
    void vscode.window.showInformationMessage(
      purpose === 'explain'
        ? vscode.l10n.t('Select the code to explain in an editor first.')
        : vscode.l10n.t('Select the code to fix in an editor first.'),
    );
    return;
  }
  await panel.reveal();
  const context = selectionContext(selection);
  const text = purpose === 'explain' ? explainPrompt(context) : fixPrompt(context);
  await panel.submit({ text, context: [context] });
}

export async function fixSelection({ panel }: Parts): Promise<void> {
  if (await isTrustedToFix(vscode.l10n.t('Explain Selection'))) await submitSelection({ panel }, 'fix');
}
