import * as vscode from 'vscode';

/**
 * Whether the person wants contents in the log. Stands apart from the other settings because the log is loaded before
 * the agent.
 */
export function areContentsLogged(): boolean {
  return vscode.workspace.getConfiguration('openAgent').get('log.contents') === true;
}
