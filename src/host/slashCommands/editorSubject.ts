import * as vscode from 'vscode';
import type { EditorValues } from '../../agent/customization/promptFiles';
import type { PromptContext } from '../../agent/prompts/promptContext';
import { selectionContext } from '../../agent/prompts/selection';
import { visibleText } from '../../util/text/visibleText';
import { editorLines } from '../commands/selection/editorSelection';
import { displayPathOf } from '../workspace/displayPathOf';
import type { MayHoldSecrets } from '../workspace/secretFiles';

/**
 * The selected lines of the active editor; with `orWhole`, the whole file where nothing is selected. `undefined`: there is
 * neither. Rejects with an `Error` for people when the file may hold secrets.
 */
export async function editorSubject(
  orWhole: boolean,
  mayHoldSecrets: MayHoldSecrets,
): Promise<PromptContext | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const lines = editorLines((document) => displayPathOf(document.uri), orWhole);
  if (!uri || !lines || lines.text.trim() === '') return undefined;
  if (await mayHoldSecrets(uri)) {
    const name = visibleText(lines.displayPath, 'path');
    throw new Error(vscode.l10n.t('{0} may hold secrets. Name it with @ after the command if it is to be sent.', name));
  }
  return selectionContext(lines);
}

/** The name of the active editor's file and its selected lines. Lines of a file that may hold secrets are left out. */
export async function editorValues(mayHoldSecrets: MayHoldSecrets): Promise<EditorValues> {
  const { document } = vscode.window.activeTextEditor ?? {};
  if (!document) return {};
  const file = displayPathOf(document.uri);
  const selection = editorLines(() => file, false)?.text;
  if (selection === undefined || (await mayHoldSecrets(document.uri))) return { file };
  return { file, selection };
}
