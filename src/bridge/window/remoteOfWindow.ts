import * as vscode from 'vscode';

/** The remote of this window, by what VS Code says. Nothing that the remote says counts. */
export function remoteOfWindow(): { readonly id: string | undefined; readonly name: string } {
  const { remoteName = 'remote' } = vscode.env;
  const id = authorityOfWindow(remoteName);
  return { id, name: id === undefined ? vscode.l10n.t('the remote ({0})', remoteName) : readableName(id) };
}

/**
 * The authority of the window. VS Code opens a window by its folder or its workspace file, so that one names the remote.
 * The folders that a workspace file lists are written by the remote, and could name another one.
 */
function authorityOfWindow(remoteName: string): string | undefined {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const opened = workspaceFile ?? (workspaceFolders.length === 1 ? workspaceFolders[0]?.uri : undefined);
  if (opened?.scheme !== 'vscode-remote') return undefined;
  const { authority } = opened;
  return authority === remoteName || authority.startsWith(`${remoteName}+`) ? authority : undefined;
}

/** `ssh-remote+devbox` becomes `devbox (ssh-remote)`. Containers have names of hexadecimal digits. */
function readableName(authority: string): string {
  const plus = authority.indexOf('+');
  if (plus < 0) return authority;
  const name = authority.slice(plus + 1);
  return `${name.length > 60 ? `${name.slice(0, 60)}…` : name} (${authority.slice(0, plus)})`;
}
