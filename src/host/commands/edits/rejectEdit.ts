import * as vscode from 'vscode';
import type { Command, CommandParts } from '../command';
import { noProposedEdit, proposedEdit } from './proposedEdit';

export function rejectEdit({ host }: CommandParts): Command {
  return {
    id: 'openAgent.rejectEdit',
    async run(argument) {
      const requestId = proposedEdit(argument);
      const loaded = await host.ifLoaded();
      if (requestId === undefined || !loaded?.approver.isPending(requestId)) return noProposedEdit();
      const reason = await vscode.window.showInputBox({
        title: 'Reject Proposed Edit',
        prompt: 'A reason for the model, or nothing. Escape leaves the proposal open.',
        placeHolder: 'Why not? (optional)',
      });
      if (reason !== undefined && !loaded.approver.deny(requestId, reason)) noProposedEdit();
    },
  };
}
