import * as vscode from 'vscode';
import { visibleText } from '../../util/text/visibleText';
import { displayPathOf } from '../workspace/displayPathOf';

/** Asks for a file of the workspace. The one in the active editor is offered first. `undefined`: cancelled. */
export async function chooseFile(listNames: () => Promise<readonly string[]>): Promise<string | undefined> {
  const listed = listNames().then((names) => {
    const active = vscode.window.activeTextEditor;
    const shown = active && displayPathOf(active.document.uri);
    const ordered =
      shown !== undefined && names.includes(shown) ? [shown, ...names.filter((name) => name !== shown)] : names;
    return ordered.map((name) => ({ label: visibleText(name, 'path'), name }));
  });
  const title = vscode.l10n.t('Apply Code to a File');
  return (
    await vscode.window.showQuickPick(listed, { title, placeHolder: vscode.l10n.t('The file that the code goes into') })
  )?.name;
}

/** Where code goes in a text. */
export type CodePlace = (text: string) => string;

/**
 * Asks where the code goes in a file. The change is shown as a diff afterwards. `undefined`: cancelled.
 */
export async function choosePlace(file: vscode.Uri, displayPath: string, code: string): Promise<CodePlace | undefined> {
  const editor = vscode.window.activeTextEditor;
  const isShown = editor?.document.uri.toString() === file.toString();
  const choices: (vscode.QuickPickItem & { readonly place: CodePlace })[] = [];
  if (isShown) {
    const { selection, document } = editor;
    const [start, end] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
    // A byte order mark is in the text and not in the editor.
    const place: CodePlace = (text) => {
      const mark = text.length - text.replace(/^\uFEFF/, '').length;
      return text.slice(0, mark + start) + code + text.slice(mark + end);
    };
    const label = selection.isEmpty
      ? vscode.l10n.t('Insert at the Cursor, Line {0}', selection.start.line + 1)
      : vscode.l10n.t('Replace the Selection');
    choices.push({ label, place });
  }
  choices.push(
    {
      label: vscode.l10n.t('Add at the End'),
      place: (text) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${code}\n`,
    },
    { label: vscode.l10n.t('Replace the Whole File'), place: () => `${code}\n` },
  );
  const title = vscode.l10n.t('Apply Code to {0}', visibleText(displayPath, 'path'));
  return (
    await vscode.window.showQuickPick(choices, {
      title,
      placeHolder: vscode.l10n.t('You see the change before it is made'),
    })
  )?.place;
}
