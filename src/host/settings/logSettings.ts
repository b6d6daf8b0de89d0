import * as vscode from 'vscode';

/** Whether the person wants contents in the log. Apart from the other settings, because the log comes before the agent. */
export function areContentsLogged(): boolean {
  return vscode.workspace.getConfiguration('openAgent').get('log.contents') === true;
}
