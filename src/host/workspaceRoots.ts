import * as vscode from 'vscode';
import type { Root } from '../workspace/ports';
import { withDistinctNames } from '../workspace/roots';

/** The folders of the window that are on disk. */
export function workspaceRoots(): readonly Root[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return withDistinctNames(folders.map(({ name, uri }) => ({ name, path: uri.fsPath })));
}
