import * as l10n from '../../../util/l10n';
import { useState } from 'preact/hooks';
import { IconButton } from '../../controls/IconButton';
import { useStore } from '../../state/usePanel';
import type { CopyFormat } from './answerText';

/** Copies the whole answer that ends with an item. The buttons say so until the pointer or the focus leaves. */
export function CopyMessage({ itemId }: { readonly itemId: string }) {
  const store = useStore();
  const [copied, setCopied] = useState<CopyFormat | undefined>(undefined);
  const button = (format: CopyFormat, label: string) => (
    <IconButton
      icon={copied === format ? 'check' : format === 'text' ? 'copy' : 'markdown'}
      label={copied === format ? l10n.t('Copied') : label}
      onClick={() => void store.copyMessage(itemId, format).then(() => setCopied(format))}
    />
  );
  return (
    <div
      class="message-actions"
      role="group"
      aria-label={l10n.t('Answer')}
      onPointerLeave={() => setCopied(undefined)}
      onFocusOut={() => setCopied(undefined)}
    >
      {button('text', l10n.t('Copy Message'))}
      {button('markdown', l10n.t('Copy as Markdown'))}
    </div>
  );
}
