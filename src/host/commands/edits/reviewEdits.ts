import * as vscode from 'vscode';
import type { Command, CommandParts } from '../command';

/** Shows what the agent changed without asking, in VS Code's editor for several diffs. */
export function reviewEdits({ host }: CommandParts): Command {
  return {
    id: 'openAgent.reviewEdits',
    async run() {
      const { review } = await host.get();
      if (await review.show()) return;
      void vscode.window.showInformationMessage('The agent has changed nothing that you have not been shown.');
    },
  };
}
