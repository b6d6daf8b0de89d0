import * as vscode from 'vscode';
import { isVirtualPath, virtualPathOf, virtualPlaceOf } from '../../workspace/paths/virtualPaths';

/** What VS Code calls a file, on disk or virtual, that has this absolute path. */
export function uriOf(file: string): vscode.Uri {
  return isVirtualPath(file) ? vscode.Uri.from(virtualPlaceOf(file)) : vscode.Uri.file(file);
}

/** The absolute path of a file; `undefined` where it has none, because its address could be read in two ways. */
export function pathOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === 'file' ? uri.fsPath : virtualPathOf(uri);
}
