import * as vscode from 'vscode';
import type { CommandParts } from '../command';
import { editorSelection } from './editorSelection';
import { showPanel } from '../../panel/showPanel';

/** Sends what is selected in the editor, with a prompt about it, to the session in the panel. */
export async function submitSelection({ host }: CommandParts, purpose: 'explain' | 'fix'): Promise<void> {
  const [{ explainPrompt, fixPrompt, selectionContext }, { displayPathOf }] = await Promise.all([
    import('../../../agent/prompts/selection'),
    import('../../workspace/displayPathOf'),
  ]);
  const selection = editorSelection(({ uri }) => displayPathOf(uri));
  if (!selection) {
    void vscode.window.showInformationMessage(`Select the code to ${purpose} in an editor first.`);
    return;
  }
  const { panel } = await host.get();
  await showPanel();
  const context = selectionContext(selection);
  const text = purpose === 'explain' ? explainPrompt(context) : fixPrompt(context);
  await panel.submit({ text, context: [context] });
}
