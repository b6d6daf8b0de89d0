import { useCallback, useRef } from 'preact/hooks';

/** Returns the same function at each render. It calls the newest `callback`. */
export function useStableCallback(callback: () => void): () => void {
  const newest = useRef(callback);
  newest.current = callback;
  return useCallback(() => newest.current(), []);
}
