import * as vscode from 'vscode';
import {
  kindOf,
  matchCells,
  parseCells,
  renderCells,
  shownLanguage,
  type Cell,
} from '../../../workspace/notebooks/cellText';
import { outputOf, renderOutputs, type CellOutput } from '../../../workspace/notebooks/cellOutputs';
import { createJsonNotebooks } from '../../../workspace/notebooks/notebookFiles';
import { isVirtualPath } from '../../../workspace/paths/virtualPaths';
import { ReadOnlyFileError, StaleFileError, type FileSystem, type NotebookFiles } from '../../../workspace/ports';
import { uriOf } from '../../workspace/uris';
import { findOpenDocument, findOpenNotebook, NOTEBOOK_TYPE } from '../openDocuments';
import { changedRange } from '../changedRange';

/**
 * Notebooks through VS Code: unsaved cells win over the file, and a change goes through the notebook, so it can be undone
 * there and outputs stay. Without unsaved changes the file wins. Where VS Code cannot open a notebook, or has other cells
 * than the file, the file itself is changed, and VS Code reloads it.
 */
export function createVscodeNotebooks(fileSystem: FileSystem): NotebookFiles {
  const json = createJsonNotebooks(fileSystem);

  const read: NotebookFiles['read'] = async (path) => {
    const open = await findOpenNotebook(path, fileSystem);
    if (!open?.isDirty) return json.read(path);
    const cells = open.getCells();
    const withOutputs = cells.filter(({ outputs }) => outputs.length > 0).length;
    return { text: renderCells(cells.map(cellOf)), isDirty: true, cells: cells.length, withOutputs };
  };

  return {
    read,

    async readOutputs(path) {
      const open = await findOpenNotebook(path, fileSystem);
      if (!open?.isDirty) return json.readOutputs(path);
      const cells = open
        .getCells()
        .map(({ outputs }, index) => ({ cell: index + 1, outputs: outputs.map(readOutput) }));
      return { text: renderOutputs(cells.filter(({ outputs }) => outputs.length > 0)), isDirty: true };
    },

    async write(path, text, expected) {
      const wanted = parseCells(text);
      const before = parseCells(expected ?? '');
      if (expected === null || !wanted.ok || !before.ok) return json.write(path, text, expected);
      if ((await fileSystem.stat(path))?.isReadOnly) throw new ReadOnlyFileError(`${path} is read-only.`);
      if ((await read(path))?.text !== expected) throw new StaleFileError(`${path} has changed.`);
      // Unsaved JSON in a text editor has to be changed there.
      const asText = await findOpenDocument(path, fileSystem);
      const notebook = asText?.isDirty ? undefined : await openNotebook(path, fileSystem);
      // Nothing is awaited between this check and the change.
      if (!notebook || !hasCells(notebook, before.cells)) {
        if (notebook?.isDirty) throw new StaleFileError(`${path} has changed in its editor.`);
        return json.write(path, text, expected);
      }
      if (!(await vscode.workspace.applyEdit(editOf(notebook, before.cells, wanted.cells)))) {
        throw new StaleFileError(`${path} has changed in its editor.`);
      }
      if (await notebook.save()) return undefined;
      throw new Error(
        `${path} could not be saved. The file is as it was, but its editor holds the change, unsaved. It has to be saved or undone there.`,
      );
    },
  };
}

async function openNotebook(
  path: string,
  fileSystem: Pick<FileSystem, 'realPath'>,
): Promise<vscode.NotebookDocument | undefined> {
  const open = await findOpenNotebook(path, fileSystem);
  if (open) return open;
  try {
    const uri = isVirtualPath(path) ? uriOf(path) : vscode.Uri.file(path);
    const opened = await vscode.workspace.openNotebookDocument(uri);
    return opened.notebookType === NOTEBOOK_TYPE ? opened : undefined;
  } catch {
    // The extension for such notebooks is switched off.
    return undefined;
  }
}

function readOutput({ items }: vscode.NotebookCellOutput): CellOutput {
  return outputOf(
    items.map(({ mime, data }) => [mime, mime.startsWith('image/') ? '' : new TextDecoder().decode(data)]),
  );
}

function cellOf({ kind, document }: vscode.NotebookCell): Cell {
  const source = document.getText().replaceAll('\r\n', '\n');
  if (kind === vscode.NotebookCellKind.Markup) return { language: 'markdown', source };
  const isRaw = document.languageId === 'raw';
  return { language: isRaw ? 'raw' : shownLanguage('code', document.languageId), source };
}

/** VS Code has names of its own for some languages, so only kinds and texts are compared. */
function hasCells(notebook: vscode.NotebookDocument, expected: readonly Cell[]): boolean {
  const cells = notebook.getCells().map(cellOf);
  return (
    cells.length === expected.length &&
    cells.every((cell, i) => {
      const other = expected[i];
      return other && kindOf(cell) === kindOf(other) && cell.source === other.source.replaceAll('\r\n', '\n');
    })
  );
}

/** Texts of cells are changed where they differ. Cells come and go around them. */
function editOf(
  notebook: vscode.NotebookDocument,
  before: readonly Cell[],
  wanted: readonly Cell[],
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const structure: vscode.NotebookEdit[] = [];
  const from = matchCells(before, wanted).map((index, i) =>
    // The language of a cell is part of it: with another one it is a new cell.
    index !== undefined && before[index]?.language === wanted[i]?.language ? index : undefined,
  );
  let next = 0;
  let added: vscode.NotebookCellData[] = [];
  const flush = (end: number): void => {
    if (end > next || added.length > 0)
      structure.push(new vscode.NotebookEdit(new vscode.NotebookRange(next, end), added));
    added = [];
    next = end + 1;
  };
  for (const [i, cell] of wanted.entries()) {
    const index = from[i];
    if (index === undefined) {
      added.push(newCell(cell));
      continue;
    }
    flush(index);
    const { document } = notebook.cellAt(index);
    const change = changedRange(document.getText(), withLineEnds(cell.source, document.eol));
    if (!change) continue;
    const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
    edit.replace(document.uri, range, change.text);
  }
  flush(before.length);
  if (structure.length > 0) edit.set(notebook.uri, structure);
  return edit;
}

function withLineEnds(text: string, eol: vscode.EndOfLine): string {
  return text.replaceAll(/\r\n|\r|\n/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

function newCell(cell: Cell): vscode.NotebookCellData {
  const isMarkup = kindOf(cell) === 'markdown';
  const kind = isMarkup ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
  return new vscode.NotebookCellData(kind, cell.source, cell.language === 'code' ? 'python' : cell.language);
}
