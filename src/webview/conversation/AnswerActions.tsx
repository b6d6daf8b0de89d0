import * as l10n from '../../util/l10n';
import type { SessionView } from '../../agent/view/sessionView';
import { useStore } from '../state/usePanel';
import { Button } from '../controls/Button';
import { IconButton } from '../controls/IconButton';

/** Below the newest item: goes on with an answer that ended early, or asks for another one. */
export function AnswerActions({ session }: { readonly session: SessionView }) {
  const store = useStore();
  const { sessionId } = session;
  const { canContinue, promptId } = answerActions(session);
  if (!canContinue && promptId === undefined) return null;
  return (
    <div class="answer-actions">
      {canContinue && (
        <Button
          label={l10n.t('Continue')}
          kind="secondary"
          onClick={() => store.post({ type: 'continue', sessionId })}
        />
      )}
      {promptId !== undefined && (
        <IconButton
          icon="refresh"
          label={l10n.t('Regenerate Answer')}
          onClick={() => store.post({ type: 'regenerate', sessionId, promptId })}
        />
      )}
    </div>
  );
}

interface Actions {
  /** The newest answer ended early, and no notice offers to go on. */
  readonly canContinue: boolean;
  /** The prompt whose answer can be made again. */
  readonly promptId?: string | undefined;
}

/** What can be done with the newest answer. Nothing during a run and in a read-only session. */
export function answerActions({ state, readOnly, items }: SessionView): Actions {
  const last = items.findLast(({ kind }) => kind !== 'notice');
  if (state !== 'idle' || readOnly || !last) return { canContinue: false };
  const isOffered = items.some(
    (item) =>
      item.kind === 'notice' && item.notice.actions.some((action) => action === 'continue' || action === 'retry'),
  );
  const isWhole = last.kind === 'text' && last.cut === undefined;
  const prompt = items.findLast((item) => item.kind === 'prompt' && !item.isSteering);
  return { canContinue: !isWhole && !isOffered, promptId: last.kind === 'prompt' ? undefined : prompt?.id };
}
