import type { SetTimer } from '../util/timer';
import type { Disposable } from '../util/disposable';

/** The longest time that `setTimeout` can wait for, in milliseconds. */
export const MAX_TIMEOUT_MS = 2_147_483_647;

/** The parts of a tool's context that a time limit changes. */
interface LimitedContext {
  readonly signal: AbortSignal;
  readonly waitForGroup?: (() => Promise<void>) | undefined;
}

/** A tool's work with its time limit. */
interface LimitedWork<Context> extends Disposable {
  /** Its signal is also aborted when the time is over, with a `TimeoutError`. */
  readonly context: Context;
  /** Whether the time was over before anything else aborted the signal. */
  readonly isOver: () => boolean;
}

/**
 * Starts the time limit of a tool (`Tool.timeoutMs`). The time in which the tool waits for other calls does not count: then
 * the limit starts again. Dispose it when the work has ended.
 */
export function limitTime<Context extends LimitedContext>(
  { name, timeoutMs }: { readonly name: string; readonly timeoutMs?: number | undefined },
  context: Context,
  setTimer: SetTimer,
): LimitedWork<Context> {
  if (timeoutMs === undefined) return { context, isOver: () => false, dispose: () => {} };
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  const message = `${name} took longer than its limit of ${timeoutMs / 1_000} s and was stopped.`;
  const reason = new DOMException(message, 'TimeoutError');
  const start = (): Disposable => setTimer(() => over.abort(reason), timeoutMs);
  let timer = start();
  const { waitForGroup } = context;
  const waitUncounted = async (): Promise<void> => {
    timer.dispose();
    await waitForGroup?.();
    timer = start();
  };
  return {
    context: { ...context, signal, ...(waitForGroup && { waitForGroup: waitUncounted }) },
    isOver: () => signal.aborted && signal.reason === reason,
    dispose: () => timer.dispose(),
  };
}
