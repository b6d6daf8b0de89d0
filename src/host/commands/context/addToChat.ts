import * as vscode from 'vscode';
import { mentionOf, writeMention } from '../../../agent/view/prompt/mentionText';
import { nameUris, tellLeft } from '../../context/namedUris';
import type { PanelController } from '../../panel/panelController';
import { displayPathOf } from '../../workspace/displayPathOf';
import { selectedLineNumbers } from '../../workspace/selectedLines';
import type { ProblemsMeant } from '../problems/problemActions';
import { isMeant } from '../problems/submitProblems';

interface Parts {
  readonly panel: PanelController;
}

/**
 * Names what the person chose in the field for messages. Nothing is read or sent before the person sends the message. The
 * arguments are those of VS Code's menus: files with all selected ones, changes of source control, or problems. Without any: the
 * selected lines.
 */
export async function addToChat({ panel }: Parts, ...given: readonly unknown[]): Promise<void> {
  const { mentions, left } = named(given);
  tellLeft(left);
  if (mentions.length === 0) {
    if (left.length === 0)
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Open a file, or choose one in the explorer, to add it to the chat.'),
      );
    return;
  }
  await panel.reveal();
  await panel.addText(mentions.join(' '));
}

function named(given: readonly unknown[]): { readonly mentions: readonly string[]; readonly left: readonly string[] } {
  const [item, selected] = given;
  if (isMeant(item)) return { mentions: [problemsMention(item)], left: [] };
  if (isGroup(item)) return { mentions: ['@changes'], left: [] };
  const changed = given.filter(isState);
  if (changed.length > 0) {
    const names = changed.map(({ resourceUri }) => writeMention(`changes:${displayPathOf(resourceUri)}`));
    return { mentions: [...new Set(names)], left: [] };
  }
  const several = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  const uris = several.length > 0 ? several : item instanceof vscode.Uri ? [item] : [];
  return uris.length > 0 && !isMenuOfSelection(item, selected) ? nameUris(uris) : selection();
}

/** Whether the menu of an editor was used, in which lines are selected. Other menus give more than the file. */
function isMenuOfSelection(item: unknown, more: unknown): boolean {
  const editor = vscode.window.activeTextEditor;
  return (
    more === undefined &&
    item instanceof vscode.Uri &&
    editor?.document.uri.toString() === item.toString() &&
    selectedLineNumbers(editor.selection) !== undefined
  );
}

/** The file of the active editor, with the lines that are selected. */
function selection(): { readonly mentions: readonly string[]; readonly left: readonly string[] } {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return { mentions: [], left: [] };
  const { uri } = editor.document;
  const lines = selectedLineNumbers(editor.selection);
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined)
    return lines ? { mentions: ['@selection'], left: [] } : { mentions: [], left: [uri.path] };
  const mention = mentionOf(displayPathOf(uri), lines);
  return mention === undefined ? { mentions: [], left: [uri.path] } : { mentions: [mention], left: [] };
}

function problemsMention({ uri, diagnostics }: ProblemsMeant): string {
  const lines = diagnostics.flatMap(({ range }) => [range.start.line + 1, range.end.line + 1]);
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  return writeMention(`problems:${displayPathOf(uri)}:${first === last ? first : `${first}-${last}`}`);
}

interface State {
  readonly resourceUri: vscode.Uri;
}

/** A changed file in the source control view. */
function isState(given: unknown): given is State {
  return (given as Partial<State> | undefined)?.resourceUri instanceof vscode.Uri;
}

/** All changes under one heading of the source control view. */
function isGroup(given: unknown): boolean {
  return Array.isArray((given as { readonly resourceStates?: unknown } | undefined)?.resourceStates);
}
