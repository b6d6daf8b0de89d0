import { useCallback, useRef } from 'preact/hooks';

/** A function that stays the same while it always calls the newest `callback`. */
export function useStableCallback(callback: () => void): () => void {
  const newest = useRef(callback);
  newest.current = callback;
  return useCallback(() => newest.current(), []);
}
