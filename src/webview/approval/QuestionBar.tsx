import * as l10n from '../../util/l10n';
import { useRef } from 'preact/hooks';
import type { EditApproval } from '../../agent/view/approvalSummary';
import { Button } from '../controls/Button';
import { Icon } from '../controls/Icon';
import { VisibleText } from '../controls/VisibleText';
import { useSelected, useStore } from '../state/usePanel';
import { commonReason, waitingEdits, waitingQuestions } from './waitingQuestions';

/**
 * What can be done about all waiting edits together, and how much else waits. Renders nothing for fewer than two edits.
 * `onShowQuestion`: the person wants to see the oldest question.
 */
export function QuestionBar({ onShowQuestion }: { readonly onShowQuestion: () => void }) {
  const store = useStore();
  const session = useSelected((state) => state.session);
  const answered = useSelected((state) => state.answeredRequests);
  /** The edits that waited when the pointer was pressed. A click answers no edit that came after that. */
  const pressed = useRef<readonly EditApproval[] | undefined>(undefined);
  if (session === undefined) return null;
  const edits = waitingEdits(session, answered);
  if (edits.length < 2) return null;
  const others = waitingQuestions(session, answered).length - edits.length;
  const { sessionId } = session;
  const together = edits.filter(({ needsOwnAnswer, unshownLines }) => !needsOwnAnswer && unshownLines === undefined);
  const left = edits.length - together.length;
  const reason = commonReason(session);
  const answer = (asked: readonly EditApproval[], isAccepted: boolean): void => {
    const { current } = pressed;
    const requestIds = new Set((current ?? asked).map(({ requestId }) => requestId));
    store.answerEdits(
      sessionId,
      asked.filter(({ requestId }) => requestIds.has(requestId)),
      isAccepted,
    );
  };
  return (
    <section
      class="question-bar"
      aria-label={l10n.t('Waiting edits')}
      onPointerDownCapture={() => {
        pressed.current = edits;
      }}
      onKeyDownCapture={() => {
        pressed.current = undefined;
      }}
    >
      <span class="question-bar-text">
        <Icon name="question" /> {waitingText(edits.length, others)}
        <Button label={l10n.t('Show')} kind="link" onClick={onShowQuestion} />
      </span>
      <div class="button-row">
        <Button
          label={l10n.t('Review')}
          kind="secondary"
          onClick={() => store.post({ type: 'reviewProposedEdits', sessionId })}
        />
        <Button
          label={l10n.t('Accept All')}
          kind="secondary"
          isDisabled={together.length === 0}
          onClick={() => answer(together, true)}
        />
        <Button label={l10n.t('Reject All')} kind="secondary" onClick={() => answer(edits, false)} />
      </div>
      {reason !== undefined && (
        <p class="muted question-bar-note">
          <VisibleText text={reason} kind="path" />
        </p>
      )}
      {left > 0 && (
        <p class="muted question-bar-note">
          {left === 1
            ? l10n.t('One needs an answer of its own: a protected file, a warning, or lines that are not shown.')
            : l10n.t(
                '{0} need an answer of their own: a protected file, a warning, or lines that are not shown.',
                left,
              )}
        </p>
      )}
    </section>
  );
}

function waitingText(edits: number, others: number): string {
  if (others === 0) return l10n.t('{0} edits wait', edits);
  return others === 1
    ? l10n.t('{0} edits wait, and one other question', edits)
    : l10n.t('{0} edits wait, and {1} other questions', edits, others);
}
