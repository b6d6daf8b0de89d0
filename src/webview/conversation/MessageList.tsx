import { useRef } from 'preact/hooks';
import type { SessionView } from '../../agent/view/sessionView';
import { useFollowing } from './useFollowing';
import { Icon } from '../controls/Icon';
import { ItemView } from './ItemView';

interface ListProperties {
  readonly session: SessionView;
  readonly answeredRequests: ReadonlySet<string>;
  readonly clockOffsetMs: number;
  readonly onSelectModel: () => void;
}

/** The conversation. Stays at its end until the person scrolls away. */
export function MessageList({ session, answeredRequests, clockOffsetMs, onSelectModel }: ListProperties) {
  const scroller = useRef<HTMLDivElement>(null);
  const { isFollowing, jumpToLatest } = useFollowing(scroller, session);
  const isRunning = session.state !== 'idle';
  return (
    <div class="messages">
      {/* Focusable, to scroll by keyboard. No live region: screen readers would read each token. */}
      <div class="message-scroller" ref={scroller} tabIndex={0} role="region" aria-label="Conversation">
        {session.items.map((item) => (
          <div key={`${item.kind} ${item.id}`} class={`item item-${item.kind}`}>
            <ItemView
              item={item}
              sessionId={session.sessionId}
              isRunning={isRunning}
              isAnswered={
                item.kind === 'tool' && item.approval !== undefined && answeredRequests.has(item.approval.requestId)
              }
              clockOffsetMs={clockOffsetMs}
              onSelectModel={onSelectModel}
            />
          </div>
        ))}
      </div>
      {!isFollowing && (
        <button type="button" class="jump" onClick={jumpToLatest}>
          <Icon name="arrow-down" /> Jump to Latest
        </button>
      )}
    </div>
  );
}
