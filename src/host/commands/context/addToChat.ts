import * as vscode from 'vscode';
import { mentionOf } from '../../../agent/context/mentions';
import type { PanelController } from '../../panel/panelController';
import { showPanel } from '../../panel/showPanel';
import { displayPathOf } from '../../workspace/displayPathOf';

interface Parts {
  readonly panel: PanelController;
}

/** A prompt names at most as many files. */
const MAX_FILES = 20;

/**
 * Names files, folders or the selected lines in the field for messages. Nothing is read or sent before the person sends the
 * message. The arguments are those of VS Code's menus: the item, and all selected ones.
 */
export async function addToChat({ panel }: Parts, item: unknown, selected: unknown): Promise<void> {
  const uris = urisOf(item, selected);
  const mentions = uris.length > 0 ? uris.map((uri) => mentionOf(displayPathOf(uri))) : selectionMentions();
  const known = mentions.filter((mention) => mention !== undefined);
  if (known.length === 0) {
    void vscode.window.showInformationMessage('Open a file, or choose one in the explorer, to add it to the chat.');
    return;
  }
  await showPanel();
  await panel.addText(known.slice(0, MAX_FILES).join(' '));
}

function urisOf(item: unknown, selected: unknown): readonly vscode.Uri[] {
  const several = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  return several.length > 0 ? several : item instanceof vscode.Uri ? [item] : [];
}

/** The file of the active editor, with the lines that are selected. */
function selectionMentions(): readonly (string | undefined)[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return [];
  const { start, end } = editor.selection;
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return [
    mentionOf(
      displayPathOf(editor.document.uri),
      editor.selection.isEmpty ? undefined : { start: start.line + 1, end: last },
    ),
  ];
}
