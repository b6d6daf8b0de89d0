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

/** Whether a key may answer it. Dangerous questions are answered by their buttons only. */
export function takesKeys(question: ApprovalSummary): boolean {
  return !question.isSensitive && (question.kind !== 'command' || question.dangers === undefined);
}
