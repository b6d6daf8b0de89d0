import * as l10n from '../../util/l10n';
import type { HunkSummary } from '../../agent/view/approvalSummary';
import { useStore } from '../state/usePanel';
import { DiffView } from './DiffView';

interface HunkListProperties {
  readonly hunks: readonly HunkSummary[];
  readonly sessionId: string;
  readonly requestId: string;
  /** The decision about the whole edit was sent. */
  readonly isAnswered: boolean;
}

/** The hunks of a proposed edit. A checkbox leaves a hunk out or puts it back. */
export function HunkList({ hunks, sessionId, requestId, isAnswered }: HunkListProperties) {
  const store = useStore();
  const decided = hunks.filter(({ state }) => state !== 'open').length;
  return (
    <div class="hunks" role="group" aria-label={l10n.t('Changes of this edit')}>
      {hunks.map(({ diff, state }, hunk) => (
        <div key={hunk} class={`hunk hunk-${state}`}>
          <label class="hunk-choice">
            <input
              type="checkbox"
              checked={state !== 'rejected'}
              disabled={isAnswered}
              // The box shows the host's state, not the click.
              onClick={(event) => {
                event.preventDefault();
                store.post({ type: 'decideHunk', sessionId, requestId, hunk, isKept: state === 'rejected' });
              }}
            />
            {l10n.t('Change {0} of {1}', hunk + 1, hunks.length)}
            {state !== 'open' && (
              <span class="muted">{state === 'accepted' ? l10n.t('accepted') : l10n.t('rejected')}</span>
            )}
          </label>
          <DiffView diff={diff} label={l10n.t('Change {0} of {1}', hunk + 1, hunks.length)} />
        </div>
      ))}
      {decided > 0 && (
        <p class="muted hunks-decided" role="status">
          {l10n.t('{0} of {1} decided.', decided, hunks.length)}
        </p>
      )}
    </div>
  );
}
