import * as vscode from 'vscode';
import type { OpenWorkspace } from './sessionsLocation';

/** The saved workspace file, or else the first folder. */
export function currentWorkspace(): OpenWorkspace | undefined {
  const { workspaceFile, workspaceFolders, name } = vscode.workspace;
  const folder = workspaceFolders?.[0];
  if (workspaceFile && workspaceFile.scheme !== 'untitled') {
    return { uri: workspaceFile.toString(), name: name ?? 'workspace' };
  }
  return folder && { uri: folder.uri.toString(), name: folder.name };
}
