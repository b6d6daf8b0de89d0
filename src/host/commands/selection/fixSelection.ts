import * as vscode from 'vscode';
import type { Command, CommandParts } from '../command';
import { submitSelection } from './submitSelection';

export function fixSelection(parts: CommandParts): Command {
  return {
    id: 'openAgent.fixSelection',
    async run() {
      if (vscode.workspace.isTrusted) return submitSelection(parts, 'fix');
      // package.json disables it; a key binding of one's own may still come here.
      const action = 'Manage Workspace Trust';
      const message = 'Open Agent proposes edits in trusted workspaces only. "Explain Selection" works here.';
      if ((await vscode.window.showInformationMessage(message, action)) === action) {
        await vscode.commands.executeCommand('workbench.trust.manage');
      }
    },
  };
}
