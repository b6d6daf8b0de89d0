import type { Disposable } from '../util/disposable';

/** Runs `task` once, later; dispose to cancel. */
export type Schedule = (task: () => void, delayMs: number) => Disposable;

export const systemSchedule: Schedule = (task, delayMs) => {
  const timer = setTimeout(task, delayMs);
  return { dispose: () => clearTimeout(timer) };
};
