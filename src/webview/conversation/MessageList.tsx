import * as l10n from '../../util/l10n';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionView, ViewItem } from '../../agent/view/sessionView';
import type { Row } from './rows/foldRows';
import { KeptStates } from './rows/keptState';
import type { RowRange } from './rows/shownRows';
import { useRows } from './rows/useRows';
import { Icon } from '../controls/Icon';
import { isEndOfAnswer } from './copying/answerText';
import { AnswerActions } from './AnswerActions';
import { FailedItemView } from './FailedItemView';
import { ItemView } from './ItemView';
import { ReadingsView } from './ReadingsView';
import { DrawingFailure } from '../controls/DrawingFailure';
import { ErrorBoundary } from '../controls/ErrorBoundary';

/** The questions that show all they ask at once. */
const MAX_OPEN = 3;

interface ListProperties {
  readonly session: SessionView;
  readonly answeredRequests: ReadonlySet<string>;
  readonly clockOffsetMs: number;
  readonly onSelectModel: () => void;
}

/** The conversation. If it cannot be drawn, the calls that wait for an answer still can. */
export function MessageList(properties: ListProperties) {
  const { items } = properties.session;
  // A long conversation takes its time. The field for messages is there before it.
  const isDrawn = useNextFrame();
  if (!isDrawn) return <div class="message-scroller" aria-busy="true" />;
  return (
    <ErrorBoundary
      fallback={(onRetry) => (
        <div class="message-scroller" tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
          <DrawingFailure name={l10n.t('The conversation')} onRetry={onRetry} />
          {items.map(
            (item) =>
              item.kind === 'tool' &&
              item.approval !== undefined && (
                <div key={item.approval.requestId} class="item item-tool">
                  <Item {...properties} item={item} />
                </div>
              ),
          )}
        </div>
      )}
    >
      <FollowingList {...properties} />
    </ErrorBoundary>
  );
}

/** Stays at its end until the person scrolls away. Only the rows near the visible part are on the page. */
function FollowingList(properties: ListProperties) {
  const { session } = properties;
  const { items } = session;
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useMemo(() => new Map<string, boolean>(), []);
  const { rows, ranges, keys, height, isFollowing, jumpToLatest, toggleReadings } = useRows(scroller, session, kept);
  const folded = useMemo(
    () => foldedRequests(items, properties.answeredRequests),
    [items, properties.answeredRequests],
  );
  const gap = (range: RowRange) => <Gap key={`gap ${range.end}`} height={height(range)} />;
  return (
    <div class="messages">
      {/* Focusable, to scroll by keyboard. No live region: screen readers would read each token. */}
      <div class="message-scroller" ref={scroller} tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
        <KeptStates.Provider value={kept}>
          <div role="list">
            {ranges.flatMap(({ start, end }, index) => [
              gap({ start: ranges[index - 1]?.end ?? 0, end: start }),
              ...rows.slice(start, end).map((row, offset) => {
                const index = start + offset;
                return (
                  <div
                    key={keys[index]}
                    class={rowClass(row, rows[index - 1])}
                    role="listitem"
                    aria-setsize={rows.length}
                    aria-posinset={index + 1}
                    data-row={index}
                    data-key={keys[index]}
                  >
                    {row.kind === 'readings' ? (
                      <ReadingsView row={row} onToggle={() => toggleReadings(row.id)} />
                    ) : (
                      <Item
                        {...properties}
                        item={row}
                        isFolded={isFoldedIn(folded, row)}
                        isEndOfAnswer={isEndOfAnswer(session, row)}
                      />
                    )}
                    {index === rows.length - 1 && <AnswerActions session={session} />}
                  </div>
                );
              }),
            ])}
            {gap({ start: ranges.at(-1)?.end ?? 0, end: rows.length })}
          </div>
        </KeptStates.Provider>
      </div>
      {!isFollowing && (
        <button type="button" class="jump" onClick={jumpToLatest}>
          <Icon name="arrow-down" /> {l10n.t('Jump to Latest')}
        </button>
      )}
    </div>
  );
}

/** False in the first drawing, true from the next frame on. */
function useNextFrame(): boolean {
  const [isNext, setIsNext] = useState(false);
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => setIsNext(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isNext;
}

/** The questions beyond the first `MAX_OPEN`. They open as the ones before are answered. */
function foldedRequests(items: readonly ViewItem[], answered: ReadonlySet<string>): ReadonlySet<string> {
  const asking = items.flatMap((item) => (item.kind === 'tool' && item.approval ? [item.approval.requestId] : []));
  return new Set(asking.filter((requestId) => !answered.has(requestId)).slice(MAX_OPEN));
}

function isFoldedIn(folded: ReadonlySet<string>, item: ViewItem): boolean {
  return item.kind === 'tool' && item.approval !== undefined && folded.has(item.approval.requestId);
}

/** Takes the room of rows that are not on the page. */
function Gap({ height }: { readonly height: number }) {
  return <div class="row-gap" role="presentation" style={{ height: `${height}px` }} />;
}

function rowClass(row: Row, before: Row | undefined): string {
  const isAfterCard = before?.kind === 'tool' || before?.kind === 'thinking' || before?.kind === 'readings';
  const isJoined = isAfterCard && (row.kind === 'tool' || row.kind === 'readings');
  return `item item-${row.kind}${isJoined ? ' item-joined' : ''}`;
}

/** An item that cannot be drawn does not affect the others. */
function Item({
  item,
  session,
  answeredRequests,
  clockOffsetMs,
  onSelectModel,
  isFolded = false,
  isEndOfAnswer = false,
}: ListProperties & { readonly item: ViewItem; readonly isFolded?: boolean; readonly isEndOfAnswer?: boolean }) {
  const { sessionId } = session;
  const isAnswered =
    item.kind === 'tool' && item.approval !== undefined && answeredRequests.has(item.approval.requestId);
  return (
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
        isFolded={isFolded}
        isOver={isOfEarlierRun(item, session)}
        isEndOfAnswer={isEndOfAnswer}
        clockOffsetMs={clockOffsetMs}
        onSelectModel={onSelectModel}
      />
    </ErrorBoundary>
  );
}

function isOfEarlierRun(item: ViewItem, { items }: SessionView): boolean {
  if (item.kind !== 'notice' || item.notice.promptId === undefined) return false;
  return items.findLast((one) => one.kind === 'prompt' && !one.isSteering)?.id !== item.notice.promptId;
}
