import * as l10n from '../../util/l10n';
import type { SessionView, WaitingItem, WhenSent } from '../../agent/view/sessionView';
import { visibleText } from '../../util/text/visibleText';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';
import { useStore } from '../state/usePanel';

const maxNameCharacters = 60;

/** The messages that the model has not got. They can be sent at another time, edited and removed until it gets them. */
export function WaitingPrompts({ session }: { readonly session: SessionView }) {
  const { waiting = [], readOnly } = session;
  if (waiting.length === 0) return null;
  return (
    <section class="waiting" aria-label={l10n.t('Messages not sent yet')}>
      <ul class="waiting-list">
        {waiting.map((item) => (
          <WaitingRow key={item.id} item={item} session={session} isReadOnly={readOnly !== undefined} />
        ))}
      </ul>
    </section>
  );
}

interface WaitingRowProperties {
  readonly item: WaitingItem;
  readonly session: SessionView;
  readonly isReadOnly: boolean;
}

function WaitingRow({ item, session, isReadOnly }: WaitingRowProperties) {
  const store = useStore();
  const { sessionId } = session;
  const promptId = item.id;
  const isIdle = session.state === 'idle';
  const name = visibleText(item.text.split('\n')[0] ?? '', 'prose').slice(0, maxNameCharacters);
  const withdraw = (isEdited: boolean) => store.post({ type: 'withdrawPrompt', sessionId, promptId, isEdited });
  return (
    <li class="waiting-row">
      <div class="waiting-words">
        <span class="waiting-text" dir="auto" title={visibleText(item.text, 'prose')}>
          <VisibleText text={item.text} kind="prose" />
        </span>
        {item.images && (
          <span class="muted">
            {item.images.length === 1 ? l10n.t('With an image.') : l10n.t('With {0} images.', item.images.length)}{' '}
          </span>
        )}
        <span class="muted">{whenText(item.when)}</span>
      </div>
      {!isReadOnly && (
        <>
          {isIdle || item.when !== 'next_step' ? (
            <IconButton
              icon="send"
              label={isIdle ? l10n.t('Send: {0}', name) : l10n.t('Send with the Next Step: {0}', name)}
              onClick={() => store.post({ type: 'sendWaiting', sessionId, promptId, when: 'next_step' })}
            />
          ) : (
            <IconButton
              icon="watch"
              label={l10n.t('Send after This Run: {0}', name)}
              onClick={() => store.post({ type: 'sendWaiting', sessionId, promptId, when: 'after_run' })}
            />
          )}
          {/* The composer holds text only. */}
          {item.contextLabels.length === 0 && item.images === undefined && (
            <IconButton icon="edit" label={l10n.t('Edit: {0}', name)} onClick={() => withdraw(true)} />
          )}
          <IconButton icon="close" label={l10n.t('Remove: {0}', name)} onClick={() => withdraw(false)} />
        </>
      )}
    </li>
  );
}

function whenText(when: WhenSent): string {
  switch (when) {
    case 'next_step':
      return l10n.t('Goes with the next step');
    case 'after_run':
      return l10n.t('Goes after this run');
    case 'held':
      return l10n.t('Not sent');
  }
}
