import type { TextItem } from '../../agent/view/sessionView';
import { MarkdownView } from '../markdown/MarkdownView';
import { Icon } from '../controls/Icon';

const cutReasons = {
  interrupted: 'Stopped here.',
  incomplete: 'The answer was cut off before it was finished.',
  length: 'The answer ended here: its token limit was reached.',
} as const;

/** A piece of the model's answer. */
export function TextItemView({ item }: { readonly item: TextItem }) {
  return (
    <section class="answer" aria-label="Open Agent" aria-busy={item.isStreaming}>
      <MarkdownView text={item.text} isGrowing={item.isStreaming} />
      {item.cut !== undefined && (
        <p class="muted cut">
          <Icon name="debug-disconnect" /> {cutReasons[item.cut]}
        </p>
      )}
    </section>
  );
}
