import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../../agent/view/sessionView';
import { useStore } from '../../state/usePanel';
import type { Row } from './foldRows';
import { RowKeys } from './rowKeys';
import { RowScroll } from './rowScroll';
import { rowsAroundFocus, type RowRange } from './shownRows';
import { touchedRows } from './touchedRows';
import { useFolds } from './useFolds';

const saveDelayMs = 250;
/** The events with which a person scrolls. */
const inputs = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const;

export interface Rows {
  readonly rows: readonly Row[];
  /** The rows on the page. Between two ranges there is a gap. */
  readonly ranges: readonly RowRange[];
  readonly keys: readonly string[];
  /** The height of the rows from `start` to before `end`. */
  readonly height: (range: RowRange) => number;
  /** Also true where nothing scrolls. */
  readonly isFollowing: boolean;
  readonly jumpToLatest: () => void;
  /** Shows or hides the cards of the line whose first card is `id`. */
  readonly toggleReadings: (id: string) => void;
}

/**
 * Chooses the rows of a conversation that are on the page, and keeps its place while heights change. The list stays at
 * its end until the person scrolls up or opens something; it follows again when they scroll to the end or call
 * `jumpToLatest`. Saves the place of each session and returns to it. Cards that only read fold, except those that the
 * person looks at. `kept`: the states of `useKeptSwitch`.
 */
export function useRows(
  scroller: RefObject<HTMLElement | null>,
  session: SessionView,
  kept: ReadonlyMap<string, boolean>,
): Rows {
  const store = useStore();
  const names = useMemo(() => new RowKeys(), []);
  const scroll = useMemo(() => new RowScroll(window.innerHeight, store.scrollPlace(session.sessionId)), []);
  const [isFollowing, setIsFollowing] = useState(scroll.isFollowing);
  const [, setDrawings] = useState(0);
  const redraw = (): void => setDrawings((count) => count + 1);
  const nextDrawing = useRef<number | undefined>(undefined);
  const redrawInNextFrame = (): void => {
    nextDrawing.current ??= requestAnimationFrame(() => {
      nextDrawing.current = undefined;
      redraw();
    });
  };
  /** Draws what is missing on the page. */
  const complete = (): void => {
    if (scroll.misses('visible')) redraw();
    else if (scroll.misses('near')) redrawInNextFrame();
  };
  // The person has scrolled, and the event is still to come.
  if (scroller.current !== null && scroll.read(scroller.current)) store.steadyForms.look('person');
  const drawnKeys = useRef<readonly string[]>([]);
  /** The rows with the focus and the selection, and the visible ones where the list does not follow its end. */
  const lookedAt = (drawn: readonly Row[]): readonly (Row | undefined)[] => {
    const { focused, selected } = touchedRows(scroller.current, drawnKeys.current);
    const { start, end } = scroll.visible;
    return [
      ...(focused === undefined ? [] : [drawn[focused]]),
      ...(selected ? drawn.slice(selected.start, selected.end) : []),
      // One more on each side, so that no visible line gets other cards.
      ...(scroll.isFollowing ? [] : drawn.slice(Math.max(0, start - 1), end + 1)),
    ];
  };
  const { rows, toggle } = useFolds(session, kept, lookedAt, scroll.saved.row);
  const keys = names.of(rows);
  drawnKeys.current = keys;
  scroll.setKeys(keys);
  const asking = useMemo(
    () => rows.flatMap((row, index) => (row.kind === 'tool' && row.approval !== undefined ? [index] : [])),
    [rows],
  );

  /** The rows that stay on the page wherever the list is scrolled: with a question, the focus or the selection. */
  const pinned = (): readonly RowRange[] => {
    const ranges: RowRange[] = asking.map((index) => ({ start: index, end: index + 1 }));
    const { focused, selected } = touchedRows(scroller.current, keys);
    if (focused !== undefined) ranges.push(rowsAroundFocus(focused, keys.length, (index) => hasControl(rows[index])));
    if (selected) ranges.push(selected);
    return ranges;
  };
  const ranges = scroll.draw(pinned());

  const settle = (): void => {
    if (scroller.current === null) return;
    scroll.hold(scroller.current);
    store.steadyForms.look('page');
    tell(scroller.current);
    complete();
  };
  const tell = ({ scrollHeight, clientHeight }: HTMLElement): void =>
    setIsFollowing(scroll.isFollowing || scrollHeight - clientHeight < 1);
  const follow = (): void => {
    scroll.follow();
    settle();
  };

  const observer = useRef<ResizeObserver | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    scroll.measure(rowsOn(element).map((row) => [indexOf(row), row.getBoundingClientRect().height] as const));
    settle();
    for (const row of rowsOn(element)) observer.current?.observe(row);
  });

  // A new prompt scrolls to the end.
  const promptIndex = session.items.findLastIndex((item) => item.kind === 'prompt');
  const promptKey = session.items[promptIndex]?.id;
  const lastPrompt = useRef({ key: promptKey, index: promptIndex });
  useLayoutEffect(() => {
    if (promptKey !== lastPrompt.current.key && promptIndex > lastPrompt.current.index) follow();
    lastPrompt.current = { key: promptKey, index: promptIndex };
  }, [promptKey, promptIndex]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let saveTimer: ReturnType<typeof setTimeout> | undefined;
    const save = (): void => store.saveScrollPlace(session.sessionId, scroll.saved);
    const onScroll = (): void => {
      if (scroll.scrolled(element)) tell(element);
      store.steadyForms.look('person');
      complete();
      clearTimeout(saveTimer);
      saveTimer = setTimeout(save, saveDelayMs);
    };
    const onClick = ({ target }: MouseEvent): void => {
      if (!(target instanceof Element) || target.closest('[aria-expanded="false"]') === null) return;
      scroll.stay();
    };
    const onInput = (): void => scroll.release();
    const onFocus = (): void => redraw();
    // Late code colours and a growing composer change heights without a new item.
    const resized = new ResizeObserver((entries) => {
      const heights = entries.flatMap(({ target }) =>
        target === element || !target.isConnected
          ? []
          : [[indexOf(target), target.getBoundingClientRect().height] as const],
      );
      const isResized = entries.some(({ target }) => target === element);
      if (!scroll.measure(heights) && !isResized) return;
      scroll.hold(element);
      store.steadyForms.look('page');
      tell(element);
      // Drawing here would resize rows again within the same frame.
      if (scroll.misses('near')) redrawInNextFrame();
    });
    observer.current = resized;
    resized.observe(element);
    for (const row of rowsOn(element)) resized.observe(row);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('click', onClick);
    element.addEventListener('focusin', onFocus);
    for (const type of inputs) element.addEventListener(type, onInput, { passive: true });
    return () => {
      clearTimeout(saveTimer);
      if (nextDrawing.current !== undefined) cancelAnimationFrame(nextDrawing.current);
      save();
      resized.disconnect();
      observer.current = undefined;
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('click', onClick);
      element.removeEventListener('focusin', onFocus);
      for (const type of inputs) element.removeEventListener(type, onInput);
    };
  }, []);

  return {
    rows,
    ranges,
    keys,
    height: ({ start, end }) => scroll.heights.top(end) - scroll.heights.top(start),
    isFollowing,
    jumpToLatest: () => {
      follow();
      scroller.current?.focus();
    },
    toggleReadings: toggle,
  };
}

function rowsOn(element: HTMLElement): readonly HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('[data-row]')];
}

function indexOf(row: Element): number {
  return row instanceof HTMLElement ? Number(row.dataset['row']) : -1;
}

/** Rows of text may hold no control. */
function hasControl(row: Row | undefined): boolean {
  return row?.kind === 'tool' || row?.kind === 'thinking' || row?.kind === 'readings';
}
