import * as vscode from 'vscode';

/** Brings the panel on screen and the focus into it. VS Code makes this command for every view. */
export async function showPanel(): Promise<void> {
  await vscode.commands.executeCommand('openAgent.chat.focus');
}
