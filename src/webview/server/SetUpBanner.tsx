import * as l10n from '../../util/l10n';
import type { SetUpState } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

/** How far the set-up of a model on this machine is, with the ways to pause, continue and remove its download. */
export function SetUpBanner({ setUp }: { readonly setUp: SetUpState }) {
  const store = useStore();
  const { name, text, kind, isForeign = false } = setUp;
  return (
    <div class="banner" role="note" aria-label={l10n.t('Set-up of a model')}>
      <Icon name={kind === 'paused' ? 'debug-pause' : 'loading'} isSpinning={kind !== 'paused'} />
      <div class="banner-text">
        <p>
          <VisibleText text={`${name}: ${text}`} kind="path" />
        </p>
        {kind !== 'starting' && (
          <p class="banner-links">
            <Button
              label={kind === 'paused' ? l10n.t('Continue') : l10n.t('Pause')}
              kind="link"
              onClick={() => store.post({ type: 'steerSetUp', action: kind === 'paused' ? 'goOn' : 'pause' })}
            />
            <Button
              label={isForeign ? l10n.t('Stop') : l10n.t('Remove')}
              kind="link"
              onClick={() => store.post({ type: 'steerSetUp', action: 'remove' })}
            />
          </p>
        )}
      </div>
    </div>
  );
}
