import * as vscode from 'vscode';
import { holdsSecrets } from '../../workspace/paths/protectedPaths';
import { displayPathOf } from '../workspace/displayPathOf';

/** The display paths of the workspace's files in open tabs that contain the typed text: the active one first. */
export function openEditors(typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const active = vscode.window.activeTextEditor?.document.uri;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const names = [...(active ? [active] : []), ...uris]
    .filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .map(displayPathOf);
  return [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted) && !holdsSecrets(name));
}
