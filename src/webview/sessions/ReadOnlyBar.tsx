import * as l10n from '../../util/l10n';
import { readOnlyMessage } from '../../agent/view/readOnlyView';
import type { ReadOnlyReason } from '../../agent/view/sessionView';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import { Button } from '../controls/Button';

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
            <Button label={l10n.t('Take Over')} onClick={() => store.post({ type: 'takeOverSession', sessionId })} />
          )}
          <Button
            label={l10n.t('Fork')}
            kind={readOnly.canTakeOver ? 'secondary' : 'primary'}
            onClick={() => store.post({ type: 'forkSession', sessionId })}
          />
        </div>
      </div>
    </div>
  );
}
