import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../agent/view/sessionView';
import { useStore } from '../state/usePanel';

/** Within this distance the list counts as being at its end. */
const nearEndPixels = 32;
const saveDelayMs = 250;
/** The events with which a person scrolls. */
const inputs = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const;

/**
 * Keeps a scrolling list at its end while it grows. Stops when the person scrolls up or opens something in the list, and
 * starts again when they scroll to the end or call `jumpToLatest`. Saves the scroll position and restores it for the
 * first session shown.
 */
export function useFollowing(
  scroller: RefObject<HTMLElement | null>,
  session: SessionView,
): { readonly isFollowing: boolean; readonly jumpToLatest: () => void } {
  const store = useStore();
  const [isFollowing, setIsFollowing] = useState(true);
  const place = useRef({ isFollowing: true, scrollTop: 0 });
  /** The position to restore. It is set again while the list's height changes, until the person scrolls. */
  const restore = useRef<number | undefined>(undefined);

  const set = (value: boolean): void => {
    place.current.isFollowing = value;
    setIsFollowing(value);
  };
  const toEnd = (): void => {
    const element = scroller.current;
    if (element === null) return;
    if (restore.current !== undefined) element.scrollTop = restore.current;
    else if (place.current.isFollowing) element.scrollTop = element.scrollHeight;
    else return;
    place.current.scrollTop = element.scrollTop;
  };

  useLayoutEffect(() => {
    const saved = store.takeScrollPlace(session.sessionId);
    place.current = { isFollowing: saved?.isFollowing ?? true, scrollTop: saved?.scrollTop ?? 0 };
    setIsFollowing(place.current.isFollowing);
    restore.current = saved?.isFollowing === false ? saved.scrollTop : undefined;
  }, [session.sessionId]);

  useLayoutEffect(toEnd, [session.items, session.sessionId]);

  // A new prompt scrolls to the end.
  const promptCount = session.items.filter((item) => item.kind === 'prompt').length;
  const seenPrompts = useRef(promptCount);
  useLayoutEffect(() => {
    if (promptCount > seenPrompts.current) {
      restore.current = undefined;
      set(true);
      toEnd();
    }
    seenPrompts.current = promptCount;
  }, [promptCount]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let saveTimer: ReturnType<typeof setTimeout> | undefined;
    const onInput = (): void => void (restore.current = undefined);
    const onScroll = (): void => {
      if (restore.current !== undefined) return;
      const isUp = element.scrollTop < place.current.scrollTop;
      place.current.scrollTop = element.scrollTop;
      const isAtEnd = element.scrollHeight - element.clientHeight - element.scrollTop <= nearEndPixels;
      if (isAtEnd) set(true);
      else if (isUp) set(false);
      clearTimeout(saveTimer);
      saveTimer = setTimeout(() => store.saveScrollPlace({ ...place.current }), saveDelayMs);
    };
    const onClick = (event: MouseEvent): void => {
      if (event.target instanceof Element && event.target.closest('[aria-expanded="false"]') !== null) set(false);
    };
    // Late code colours and a growing composer change the heights without a new item.
    const observer = new ResizeObserver(toEnd);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    const childObserver = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) if (node instanceof Element) observer.observe(node);
      }
    });
    childObserver.observe(element, { childList: true });
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('click', onClick);
    for (const type of inputs) element.addEventListener(type, onInput, { passive: true });
    return () => {
      clearTimeout(saveTimer);
      observer.disconnect();
      childObserver.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('click', onClick);
      for (const type of inputs) element.removeEventListener(type, onInput);
    };
  }, []);

  return {
    isFollowing,
    jumpToLatest: () => {
      restore.current = undefined;
      set(true);
      toEnd();
      scroller.current?.focus();
    },
  };
}
