import { useRef } from 'preact/hooks';
import type { SessionView, ViewItem } from '../../agent/view/sessionView';
import { useFollowing } from './useFollowing';
import { Icon } from '../controls/Icon';
import { FailedItemView } from './FailedItemView';
import { ItemView } from './ItemView';
import { DrawingFailure } from '../controls/DrawingFailure';
import { ErrorBoundary } from '../controls/ErrorBoundary';

interface ListProperties {
  readonly session: SessionView;
  readonly answeredRequests: ReadonlySet<string>;
  readonly clockOffsetMs: number;
  readonly onSelectModel: () => void;
}

/** The conversation. If it cannot be drawn, the calls that wait for an answer still can. */
export function MessageList(properties: ListProperties) {
  const { items } = properties.session;
  return (
    <ErrorBoundary
      fallback={(onRetry) => (
        <div class="message-scroller" tabIndex={0} role="region" aria-label="Conversation">
          <DrawingFailure name="The conversation" onRetry={onRetry} />
          <Items {...properties} items={items.filter((item) => item.kind === 'tool' && item.approval !== undefined)} />
        </div>
      )}
    >
      <FollowingList {...properties} />
    </ErrorBoundary>
  );
}

/** Stays at its end until the person scrolls away. */
function FollowingList(properties: ListProperties) {
  const { session } = properties;
  const scroller = useRef<HTMLDivElement>(null);
  const { isFollowing, jumpToLatest } = useFollowing(scroller, session);
  return (
    <div class="messages">
      {/* Focusable, to scroll by keyboard. No live region: screen readers would read each token. */}
      <div class="message-scroller" ref={scroller} tabIndex={0} role="region" aria-label="Conversation">
        <Items {...properties} items={session.items} />
      </div>
      {!isFollowing && (
        <button type="button" class="jump" onClick={jumpToLatest}>
          <Icon name="arrow-down" /> Jump to Latest
        </button>
      )}
    </div>
  );
}

/** An item that cannot be drawn does not affect the others. */
function Items({
  items,
  session,
  answeredRequests,
  clockOffsetMs,
  onSelectModel,
}: ListProperties & { readonly items: readonly ViewItem[] }) {
  const { sessionId } = session;
  return items.map((item) => {
    const isAnswered =
      item.kind === 'tool' && item.approval !== undefined && answeredRequests.has(item.approval.requestId);
    return (
      <div key={`${item.kind} ${item.id}`} class={`item item-${item.kind}`}>
        <ErrorBoundary
          subject={item}
          fallback={(onRetry) => (
            <FailedItemView item={item} sessionId={sessionId} isAnswered={isAnswered} onRetry={onRetry} />
          )}
        >
          <ItemView
            item={item}
            sessionId={sessionId}
            isRunning={session.state !== 'idle'}
            isAnswered={isAnswered}
            clockOffsetMs={clockOffsetMs}
            onSelectModel={onSelectModel}
          />
        </ErrorBoundary>
      </div>
    );
  });
}
