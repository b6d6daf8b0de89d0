import * as l10n from '../../util/l10n';
import type { ComponentChildren } from 'preact';
import { Button } from './Button';
import { Icon } from './Icon';

interface FailureProperties {
  /** The part of the panel, as the start of a sentence. */
  readonly name: string;
  readonly onRetry: () => void;
  /** More buttons, beside Retry. */
  readonly buttons?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Stands for a part of the panel that threw an error. */
export function DrawingFailure({ name, onRetry, buttons, children }: FailureProperties) {
  return (
    <section class="notice notice-error drawing-failure" aria-label={l10n.t('Error')}>
      <Icon name="error" />
      <div class="notice-body">
        <p>
          {l10n.t(
            '{0} could not be shown. The agent is not affected. If it happens again, run “Developer: Reload Webviews”.',
            name,
          )}
        </p>
        {children}
        <div class="button-row">
          <Button label={l10n.t('Retry')} kind="secondary" onClick={onRetry} />
          {buttons}
        </div>
      </div>
    </section>
  );
}
