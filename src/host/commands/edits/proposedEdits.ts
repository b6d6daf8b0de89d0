import * as vscode from 'vscode';
import type { Command, CommandParts } from '../command';

/** Shows all edits that wait, in VS Code's editor for several diffs. */
export function reviewProposedEdits({ host }: CommandParts): Command {
  return {
    id: 'openAgent.reviewProposedEdits',
    async run() {
      const loaded = await host.ifLoaded();
      if (await loaded?.proposedEdits.show()) return;
      void vscode.window.showInformationMessage('No proposed edit waits for an answer.');
    },
  };
}

export function acceptAllEdits({ host }: CommandParts): Command {
  return {
    id: 'openAgent.acceptAllEdits',
    async run() {
      const loaded = await host.ifLoaded();
      const outcome = loaded?.proposedEdits.acceptAll();
      if (!outcome) return notShown();
      if (outcome.left === 0) return;
      const which =
        outcome.left === 1 ? 'One edit has a warning and waits' : `${outcome.left} edits have warnings and wait`;
      void vscode.window.showWarningMessage(`${which} for an answer on the card in the chat.`);
    },
  };
}

export function rejectAllEdits({ host }: CommandParts): Command {
  return {
    id: 'openAgent.rejectAllEdits',
    async run() {
      const loaded = await host.ifLoaded();
      if (!loaded?.proposedEdits.isShown) return notShown();
      const reason = await vscode.window.showInputBox({
        title: 'Reject All Proposed Edits',
        prompt: 'A reason for the model, or nothing. Escape leaves the proposals open.',
        placeHolder: 'Why not? (optional)',
      });
      if (reason !== undefined && !loaded.proposedEdits.rejectAll(reason)) notShown();
    },
  };
}

function notShown(): void {
  void vscode.window.showInformationMessage(
    'Open the review of all proposed edits first: only what it shows is decided.',
  );
}
