import * as vscode from 'vscode';
import type { Command, CommandParts } from '../command';

export function focusChat({ host }: CommandParts): Command {
  return {
    id: 'openAgent.focusChat',
    async run() {
      await showPanel();
      (await host.get()).panel.focusComposer();
    },
  };
}

/** Brings the panel on screen and the focus into it. VS Code makes this command for every view. */
export async function showPanel(): Promise<void> {
  await vscode.commands.executeCommand('openAgent.chat.focus');
}
