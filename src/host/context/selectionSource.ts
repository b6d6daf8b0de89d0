import * as vscode from 'vscode';
import type { ContextSource } from '../../agent/context/contextSource';
import { selectionContext } from '../../agent/prompts/selection';
import { editorSelection } from '../commands/selection/editorSelection';
import { displayPathOf } from '../workspace/displayPathOf';
import type { MayHoldSecrets } from '../workspace/secretFiles';

/** `@selection`: the lines that are selected when the prompt is sent, of any editor, saved or not. */
export const createSelectionSource = (mayHoldSecrets: MayHoldSecrets): ContextSource => ({
  async read(_argument, { confirmSecret }) {
    const document = vscode.window.activeTextEditor?.document;
    // Before the text is looked at.
    if (document && (await mayHoldSecrets(document.uri))) {
      const displayPath = displayPathOf(document.uri);
      if (!(await confirmSecret(displayPath)))
        throw new Error(
          vscode.l10n.t('{0} may hold secrets and you did not agree to send it. Remove @selection.', displayPath),
        );
    }
    const selection = editorSelection(({ uri }) => displayPathOf(uri));
    if (!selection)
      throw new Error(vscode.l10n.t('Nothing is selected in an editor. Select lines, or remove @selection.'));
    return selectionContext(selection);
  },
});
