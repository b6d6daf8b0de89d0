import path from 'node:path';
import * as vscode from 'vscode';
import type { FileSystem } from '../../workspace/ports';
import { isVirtualPath } from '../../workspace/paths/virtualPaths';
import { uriOf } from '../workspace/uris';

/**
 * Finds the open document of a file, whatever its path looks like: resolves links and other spellings. Of several
 * documents of one file, an unsaved one comes first, then the one with exactly this path. A virtual file has one
 * address.
 */
export async function findOpenDocument(
  file: string,
  fileSystem: Pick<FileSystem, 'realPath'>,
): Promise<vscode.TextDocument | undefined> {
  if (isVirtualPath(file)) {
    const address = uriOf(file).toString();
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === address);
  }
  const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file');
  if (documents.length === 0) return undefined;
  const wanted = await identityOf(file, fileSystem);
  const found: vscode.TextDocument[] = [];
  for (const document of documents) {
    const { fsPath } = document.uri;
    if (fsPath === file || (await identityOf(fsPath, fileSystem)) === wanted) found.push(document);
  }
  const open = found.filter(({ isClosed }) => !isClosed);
  const exact = ({ uri }: vscode.TextDocument): boolean => uri.fsPath === file;
  const dirty = open.filter(({ isDirty }) => isDirty);
  return dirty.find(exact) ?? dirty[0] ?? open.find(exact) ?? open[0];
}

/** How VS Code's own extension for Jupyter's notebooks names them. */
export const NOTEBOOK_TYPE = 'jupyter-notebook';

/** The open notebook of a file, an unsaved one first. */
export async function findOpenNotebook(
  path: string,
  fileSystem: Pick<FileSystem, 'realPath'>,
): Promise<vscode.NotebookDocument | undefined> {
  const open: vscode.NotebookDocument[] = [];
  for (const notebook of vscode.workspace.notebookDocuments) {
    const isOpen = !notebook.isClosed && notebook.notebookType === NOTEBOOK_TYPE;
    if (isOpen && (await isOfFile(notebook.uri, path, fileSystem))) open.push(notebook);
  }
  return open.find(({ isDirty, isClosed }) => isDirty && !isClosed) ?? open.find(({ isClosed }) => !isClosed);
}

/** Whether an address is that of a file, whatever its path looks like. */
async function isOfFile(uri: vscode.Uri, file: string, fileSystem: Pick<FileSystem, 'realPath'>): Promise<boolean> {
  if (isVirtualPath(file)) return uri.toString() === uriOf(file).toString();
  if (uri.scheme !== 'file') return false;
  return uri.fsPath === file || (await identityOf(uri.fsPath, fileSystem)) === (await identityOf(file, fileSystem));
}

/** The real path. For a missing file: the folder's real path with the file's name. */
async function identityOf(file: string, { realPath }: Pick<FileSystem, 'realPath'>): Promise<string> {
  try {
    const real = await realPath(file);
    if (real !== undefined) return real;
    const folder = await realPath(path.dirname(file));
    return folder === undefined ? file : path.join(folder, path.basename(file));
  } catch {
    // A loop of links or an unreadable folder: only the given path is known.
    return file;
  }
}
