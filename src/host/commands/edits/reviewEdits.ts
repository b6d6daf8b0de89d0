import * as vscode from 'vscode';
import type { Approvals } from '../../approvals/openApprovals';
import { noEditWaits, noReviewOpen } from '../commandTable';
import { askReason } from './decideEdit';

/** Shows the edits that the agent made without asking, in VS Code's editor for several diffs. */
export async function reviewEdits({ review }: Pick<Approvals, 'review'>): Promise<void> {
  if (await review.show()) return;
  void vscode.window.showInformationMessage(vscode.l10n.t('There are no unseen edits.'));
}

/** Shows all edits that wait for an answer, in VS Code's editor for several diffs. */
export async function reviewProposedEdits({ proposedEdits }: Pick<Approvals, 'proposedEdits'>): Promise<void> {
  if (!(await proposedEdits.show())) void vscode.window.showInformationMessage(noEditWaits());
}

export async function acceptAllEdits({ proposedEdits }: Pick<Approvals, 'proposedEdits'>): Promise<void> {
  const outcome = proposedEdits.acceptAll();
  if (!outcome) return sayNoReviewIsOpen();
  if (outcome.left === 0) return;
  const message =
    outcome.left === 1
      ? vscode.l10n.t(
          'One edit is of a protected file or has a warning, and waits for an answer on the card in the chat.',
        )
      : vscode.l10n.t(
          '{0} edits are of protected files or have warnings, and wait for an answer on the card in the chat.',
          outcome.left,
        );
  void vscode.window.showWarningMessage(message);
}

export async function rejectAllEdits({ proposedEdits }: Pick<Approvals, 'proposedEdits'>): Promise<void> {
  if (!proposedEdits.isShown) return sayNoReviewIsOpen();
  const reason = await askReason(
    vscode.l10n.t('Reject All Proposed Edits'),
    vscode.l10n.t('Escape leaves the proposals open.'),
  );
  if (reason !== undefined && !proposedEdits.rejectAll(reason)) sayNoReviewIsOpen();
}

function sayNoReviewIsOpen(): void {
  void vscode.window.showInformationMessage(noReviewOpen());
}
