import * as vscode from 'vscode';

/**
 * False in an untrusted workspace, and says so. package.json disables such commands there, but a key binding of the
 * person may still run them. `instead`: the command that works there.
 */
export async function isTrustedToFix(instead: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const action = vscode.l10n.t('Manage Workspace Trust');
  const message = vscode.l10n.t('Open Agent proposes edits in trusted workspaces only. "{0}" works here.', instead);
  if ((await vscode.window.showInformationMessage(message, action)) === action) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
  return false;
}
