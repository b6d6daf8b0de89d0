import type { ApprovalSummary, EditApproval } from '../../agent/view/approvalSummary';
import type { SessionView } from '../../agent/view/sessionView';

/** The questions of a session that this page has not answered, oldest first. */
export function waitingQuestions(
  session: SessionView | undefined,
  answered: ReadonlySet<string>,
): readonly ApprovalSummary[] {
  return (session?.items ?? []).flatMap((item) =>
    item.kind === 'tool' &&
    item.state === 'awaiting_approval' &&
    item.approval &&
    !answered.has(item.approval.requestId)
      ? [item.approval]
      : [],
  );
}

/** The edits among them. */
export function waitingEdits(session: SessionView | undefined, answered: ReadonlySet<string>): readonly EditApproval[] {
  return waitingQuestions(session, answered).filter((question) => question.kind === 'edit');
}

/**
 * Why the waiting edits ask that can be answered together, when it is the same for all. It is said once for them. An answer of
 * this page counts when the host has taken it, so that no card changes its height with a click.
 */
export function commonReason(session: SessionView | undefined): string | undefined {
  const [first, ...others] = waitingEdits(session, noAnswers).filter(({ needsOwnAnswer }) => !needsOwnAnswer);
  return others.length > 0 && others.every(({ reason }) => reason === first?.reason) ? first?.reason : undefined;
}

const noAnswers: ReadonlySet<string> = new Set();

/** Whether a key may answer it. Dangerous questions are answered by their buttons only. */
export function takesKeys(question: ApprovalSummary): boolean {
  return !question.isSensitive && (question.kind !== 'command' || question.dangers === undefined);
}
