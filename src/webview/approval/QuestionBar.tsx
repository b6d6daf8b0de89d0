import { Button } from '../controls/Button';
import { Icon } from '../controls/Icon';
import { useSelected, useStore } from '../state/usePanel';
import { waitingQuestions } from './waitingQuestions';

/** What can be done about all waiting edits together. Renders nothing for fewer than two. */
export function QuestionBar() {
  const store = useStore();
  const session = useSelected((state) => state.session);
  const answered = useSelected((state) => state.answeredRequests);
  if (session === undefined) return null;
  const edits = waitingQuestions(session, answered).filter((question) => question.kind === 'edit');
  if (edits.length < 2) return null;
  const { sessionId } = session;
  const together = edits.filter(({ needsOwnAnswer, unshownLines }) => !needsOwnAnswer && unshownLines === undefined);
  const left = edits.length - together.length;
  return (
    <section class="question-bar" aria-label="Waiting edits">
      <span class="question-bar-text">
        <Icon name="question" /> {edits.length} edits wait
      </span>
      <div class="button-row">
        <Button
          label="Review"
          kind="secondary"
          onClick={() => store.post({ type: 'reviewProposedEdits', sessionId })}
        />
        <Button
          label="Accept All"
          kind="secondary"
          isDisabled={together.length === 0}
          onClick={() => store.answerEdits(sessionId, together, true)}
        />
        <Button label="Reject All" kind="secondary" onClick={() => store.answerEdits(sessionId, edits, false)} />
      </div>
      {left > 0 && (
        <p class="muted question-bar-note">
          {left === 1 ? 'One needs' : `${left} need`} an answer of {left === 1 ? 'its' : 'their'} own: a protected file,
          a warning, or lines that are not shown.
        </p>
      )}
    </section>
  );
}
