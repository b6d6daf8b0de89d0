import * as l10n from '../../util/l10n';
import type { TextItem } from '../../agent/view/sessionView';
import { MarkdownView } from '../markdown/MarkdownView';
import { CopyMessage } from './copying/CopyMessage';
import { menuContext } from './copying/menuContext';
import { AnswerSpeed } from './AnswerSpeed';
import { Icon } from '../controls/Icon';

const cutReasons = () => ({
  interrupted: l10n.t('Stopped here.'),
  incomplete: l10n.t('The answer was cut off before it was finished.'),
  length: l10n.t('The answer ended here: its token limit was reached.'),
});

interface TextProperties {
  readonly item: TextItem;
  /** It is the last piece of a finished answer. */
  readonly isEndOfAnswer: boolean;
}

/** A piece of the model's answer. */
export function TextItemView({ item, isEndOfAnswer }: TextProperties) {
  return (
    <section class="answer" aria-label="Open Agent" aria-busy={item.isStreaming} {...menuContext('answer', item.id)}>
      <MarkdownView text={item.text} isGrowing={item.isStreaming} />
      <AnswerSpeed item={item} />
      {item.cut !== undefined && (
        <p class="muted cut">
          <Icon name="debug-disconnect" /> {cutReasons()[item.cut]}
        </p>
      )}
      {isEndOfAnswer && <CopyMessage itemId={item.id} />}
    </section>
  );
}
