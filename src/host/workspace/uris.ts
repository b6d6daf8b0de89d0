import * as vscode from 'vscode';
import { isVirtualPath, virtualPathOf, virtualPlaceOf } from '../../workspace/paths/virtualPaths';

/** The address of a file, on disk or virtual. `file`: its absolute path. */
export function uriOf(file: string): vscode.Uri {
  return isVirtualPath(file) ? vscode.Uri.from(virtualPlaceOf(file)) : vscode.Uri.file(file);
}

/** The absolute path of a file; `undefined` where its address would be ambiguous. */
export function pathOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === 'file' ? uri.fsPath : virtualPathOf(uri);
}
