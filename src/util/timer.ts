import type { Disposable } from './disposable';

/** Calls `run` once after `delayMs` milliseconds. Disposing the result cancels the call. */
export type SetTimer = (run: () => void, delayMs: number) => Disposable;

export const systemTimer: SetTimer = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  return { dispose: () => clearTimeout(timer) };
};
