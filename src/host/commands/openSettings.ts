import * as vscode from 'vscode';
import type { Command } from './command';

export function openSettings(): Command {
  return {
    id: 'openAgent.openSettings',
    async run() {
      await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:open-agent.open-agent-vscode');
    },
  };
}
