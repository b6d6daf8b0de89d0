import * as vscode from 'vscode';
import type { Root } from '../../workspace/ports';
import { ordinaryRoots } from '../../workspace/paths/ordinaryRoots';
import { withDistinctNames } from '../../workspace/paths/roots';
import { pathOf } from './uris';

/** The open folders, on disk and virtual, without protected ones. */
export function workspaceRoots(): readonly Root[] {
  const roots = (vscode.workspace.workspaceFolders ?? []).flatMap(({ name, uri }): Root[] => {
    const path = pathOf(uri);
    return path === undefined ? [] : [{ name, path }];
  });
  return withDistinctNames(ordinaryRoots(roots));
}
