import * as vscode from 'vscode';
import { titleOf } from '../../../agent/session/prompt';
import type { Command, CommandParts } from '../command';

export function restoreCheckpoint({ host }: CommandParts): Command {
  return {
    id: 'openAgent.restoreCheckpoint',
    async run() {
      const { panel } = await host.get();
      const { activeSessionId, prompts } = panel;
      if (activeSessionId === undefined || prompts.length === 0) {
        void vscode.window.showInformationMessage('There is no message to go back to in the session on screen.');
        return;
      }
      const chosen = await vscode.window.showQuickPick(
        prompts.map(({ id, text, contextLabels }) => ({ label: titleOf(text) || (contextLabels[0] ?? ''), id })),
        { title: 'Go back to before a message', placeHolder: 'Newest first' },
      );
      if (chosen) await panel.restoreTo(activeSessionId, chosen.id);
    },
  };
}
