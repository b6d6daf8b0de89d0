import * as l10n from '../../util/l10n';
import type { PromptItem } from '../../agent/view/sessionView';
import { PromptEditor } from '../composer/PromptEditor';
import { useSelected, useStore } from '../state/usePanel';
import { SentChips } from '../lazyViews';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';
import { menuContext } from './copying/menuContext';
import { useKeptSwitch } from './rows/keptState';

const longPromptCharacters = 1200;
const longPromptLines = 14;

interface PromptProperties {
  readonly item: PromptItem;
  readonly sessionId: string;
  readonly isRunning: boolean;
}

/** A prompt of the person. A long one is collapsed. */
export function PromptItemView({ item, sessionId, isRunning }: PromptProperties) {
  const store = useStore();
  const [isOpen, setIsOpen] = useKeptSwitch(`prompt ${item.id}`);
  const edit = useSelected(({ edits }) => edits.find(({ promptId }) => promptId === item.id));
  const isReadOnly = useSelected(({ session }) => session?.readOnly !== undefined);
  const isLong = item.text.length > longPromptCharacters || item.text.split('\n').length > longPromptLines;
  return (
    <section
      class="prompt"
      role="group"
      aria-label={item.isSteering ? l10n.t('You, while the agent was working') : l10n.t('You')}
      {...menuContext('prompt', item.id)}
    >
      {(item.contextLabels.length > 0 || item.images) && <SentChips item={item} />}
      {edit ? (
        <PromptEditor {...{ ...edit, sentText: item.text, isRunning }} />
      ) : (
        <div class={isLong && !isOpen ? 'prompt-text folded' : 'prompt-text'} dir="auto">
          <VisibleText text={item.text} kind="prose" />
        </div>
      )}
      {!item.isSteering && !edit && (
        <div class="prompt-actions">
          {!isReadOnly && (
            <IconButton
              icon="edit"
              label={l10n.t('Edit and Resend')}
              isDisabled={isRunning}
              onClick={() => store.setEdit({ sessionId, promptId: item.id, text: item.text })}
            />
          )}
          <IconButton
            icon="repo-forked"
            label={l10n.t('Fork from Here')}
            onClick={() => store.post({ type: 'forkSession', sessionId, beforeId: item.id })}
          />
          {!isReadOnly && (
            <IconButton
              icon="discard"
              label={l10n.t('Go Back to Before This Message…')}
              isDisabled={isRunning}
              onClick={() => store.post({ type: 'restoreTo', sessionId, promptId: item.id })}
            />
          )}
        </div>
      )}
      {isLong && !edit && (
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? l10n.t('Show Less') : l10n.t('Show All')}
        </button>
      )}
    </section>
  );
}
