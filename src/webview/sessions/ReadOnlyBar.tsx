import { readOnlyMessage } from '../../agent/view/readOnlyView';
import type { ReadOnlyReason } from '../../agent/view/sessionView';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';

interface ReadOnlyBarProperties {
  readonly readOnly: ReadOnlyReason;
  readonly sessionId: string;
}

/** Replaces the composer of a read-only session: the reason and the ways out. */
export function ReadOnlyBar({ readOnly, sessionId }: ReadOnlyBarProperties) {
  const store = useStore();
  return (
    <div class="banner read-only" role="status">
      <Icon name="lock" />
      <div class="notice-body">
        <p>{readOnlyMessage(readOnly)}</p>
        <div class="button-row">
          {readOnly.canTakeOver && (
            <button type="button" class="button" onClick={() => store.post({ type: 'takeOverSession', sessionId })}>
              Take Over
            </button>
          )}
          <button
            type="button"
            class={readOnly.canTakeOver ? 'button secondary' : 'button'}
            onClick={() => store.post({ type: 'forkSession', sessionId })}
          >
            Fork
          </button>
        </div>
      </div>
    </div>
  );
}
