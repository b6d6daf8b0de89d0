import * as l10n from '../../util/l10n';
import { useId } from 'preact/hooks';
import type { ThinkingItem } from '../../agent/view/sessionView';
import { formatSeconds } from '../../agent/view/duration';
import { Icon } from '../controls/Icon';
import { VisibleText } from '../controls/VisibleText';
import { useKeptSwitch } from './rows/keptState';

/** The model's reasoning, collapsed at first. */
export function ThinkingItemView({ item }: { readonly item: ThinkingItem }) {
  const [isOpen, setIsOpen] = useKeptSwitch(`thinking ${item.id}`);
  const id = useId();
  return (
    <section class="thinking">
      <button
        type="button"
        class="disclosure"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{title(item)}</span>
      </button>
      <div id={id} class="thinking-text" dir="auto" hidden={!isOpen}>
        {isOpen && <VisibleText text={item.text} kind="prose" />}
      </div>
    </section>
  );
}

function title(item: ThinkingItem): string {
  if (item.isStreaming) return l10n.t('Thinking…');
  const durationMs = item.endedMs === undefined ? 0 : item.endedMs - item.startedMs;
  return durationMs < 1000 ? l10n.t('Thought') : l10n.t('Thought for {0}', formatSeconds(durationMs));
}
