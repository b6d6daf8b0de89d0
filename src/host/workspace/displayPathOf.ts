import type * as vscode from 'vscode';
import { displayPath } from '../../workspace/paths/roots';
import { pathOf } from './uris';
import { workspaceRoots } from './workspaceRoots';

/** The name of a document for people and models: its path below a workspace folder, or its whole path. */
export function displayPathOf(uri: vscode.Uri): string {
  const file = uri.scheme === 'untitled' ? undefined : pathOf(uri);
  return file === undefined ? uri.path : displayPath(file, workspaceRoots());
}
