import * as l10n from '../../util/l10n';
import { useState } from 'preact/hooks';
import { Icon } from './Icon';

interface CopyButtonProperties {
  readonly text: string;
  readonly label: string;
}

/** A button that copies a text and then says so until the pointer or the focus leaves. */
export function CopyButton({ text, label }: CopyButtonProperties) {
  const [isCopied, setIsCopied] = useState<boolean | undefined>(undefined);
  const forget = (): void => setIsCopied(undefined);
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  return (
    <button type="button" class="button secondary with-icon" onClick={copy} onBlur={forget} onPointerLeave={forget}>
      <Icon name={isCopied === undefined ? 'copy' : isCopied ? 'check' : 'warning'} />{' '}
      <span aria-live="polite">
        {isCopied === undefined ? label : isCopied ? l10n.t('Copied') : l10n.t('Copying failed')}
      </span>
    </button>
  );
}
