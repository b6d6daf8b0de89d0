import { delay } from '../../../util/async/delay';
import type { AgentErrorInfo } from '../../errors';
import type { RetryNotice } from '../../events';
import type { ModelEvent, ModelProvider } from '../modelProvider';
import { createProvider, sendEvents } from '../sentEvents';
import { isUnreadableOutput } from '../errors/unreadableOutput';
import { isServerGone } from './goneServer';
import type { Signal } from '../../platform';

/** The options of `withRetry`. */
export interface RetryOptions {
  /** How often a request is repeated. 0: never. */
  readonly maxRetries: number;
  /** The first wait, in milliseconds. Each further one is twice as long. Default: 500. */
  readonly baseDelayMs?: number | undefined;
  /**
   * The longest wait, in milliseconds. A request whose server asks for a longer one is not repeated. Default: 30,000.
   */
  readonly maxDelayMs?: number | undefined;
  /**
   * The waits, in milliseconds, for a server that has answered in this run and is gone: it may be restarting. They replace
   * those of `maxRetries`. Requests with the same signal belong to one run. A break in mid-answer becomes `server_gone`,
   * so that the run asks again. Absent: no such waits.
   */
  readonly goneDelaysMs?: readonly number[] | undefined;
  /** Random number from 0 to 1, for the jitter. */
  readonly random?: (() => number) | undefined;
  /** Resolves after the time, or when the signal is aborted. */
  readonly wait?: ((ms: number, signal: Signal) => Promise<void>) | undefined;
}

/**
 * Wraps `provider` so that it repeats failed requests: no connection, 408, 409, 429 or 5xx. Each wait is longer, with
 * jitter, and at least as long as `Retry-After` asks. Never repeats after the first byte of an answer, because
 * streamed text cannot be withdrawn. A `retry` event reports each wait. Waiting for a server that loads its model does
 * not count as a retry.
 */
export function withRetry(provider: ModelProvider, options: RetryOptions): ModelProvider {
  const { maxRetries, maxDelayMs = 30_000, goneDelaysMs = [], wait = delay } = options;
  /** The runs whose server has answered, by their signals. */
  const answeredRuns = new WeakSet<AbortSignal>();
  return createProvider(async (request, { signal }, sink) => {
    let attempt = 0;
    let goneCount = 0;
    for (;;) {
      let failure: Failure | undefined;
      let hasAnswered = false;
      await sendEvents(
        provider,
        request,
        { signal },
        {
          take(events) {
            if (!hasAnswered) {
              hasAnswered = events.some(({ type }) => type !== 'error' && !beforeAnswer.has(type));
              if (hasAnswered || events.some(({ type }) => type === 'prompt_progress')) answeredRuns.add(signal);
            }
            failure = events.find((event) => event.type === 'error');
            return sink.take(failure ? events.slice(0, events.indexOf(failure)) : events);
          },
          get hasLeft() {
            return failure !== undefined || sink.hasLeft;
          },
        },
      );
      if (sink.hasLeft || !failure) return;
      const { error, retryAfterMs, partial } = failure;
      const isGone = answeredRuns.has(signal) && goneDelaysMs.length > 0 && isServerGone(error);
      const mayRepeat = !hasAnswered && partial.length === 0;
      let notice: RetryNotice | undefined;
      if (isGone) {
        const delayMs = goneDelaysMs[goneCount];
        if (delayMs !== undefined) {
          notice = {
            ...{ type: 'retry', attempt: goneCount + 1, maxRetries: goneDelaysMs.length },
            ...{ delayMs: Math.max(delayMs, retryAfterMs ?? 0), error },
            gone: { waitedMs: sum(goneDelaysMs.slice(0, goneCount)), longestMs: sum(goneDelaysMs) },
          };
        }
        goneCount += 1;
      } else if (isTemporary(error) && attempt < maxRetries) {
        attempt += 1;
        notice = { type: 'retry', attempt, maxRetries, delayMs: retryAfterMs ?? delayOf(attempt, options), error };
      }
      if (!mayRepeat || notice === undefined || notice.delayMs > maxDelayMs || signal.aborted) {
        const isBroken = isGone && !mayRepeat && !signal.aborted;
        await sink.take([isBroken ? { ...failure, error: { ...error, code: 'server_gone' } } : failure]);
        return;
      }
      await sink.take([notice]);
      if (sink.hasLeft) return;
      await wait(notice.delayMs, signal);
      if (signal.aborted) {
        const message = 'The request was interrupted while it waited for a retry.';
        await sink.take([{ type: 'error', error: { code: 'interrupted', message }, partial: [] }]);
        return;
      }
    }
  });
}

type Failure = ModelEvent & { readonly type: 'error' };

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The milliseconds that a `Retry-After` header asks for, in seconds or by date; `undefined` for any other value. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.round(Number(value) * 1_000);
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Events before the first byte of an answer. While a server reads the prompt, nothing was streamed yet. */
const beforeAnswer: ReadonlySet<string> = new Set(['status', 'prompt_progress', 'retry', 'warning']);

/** Whether the same request may succeed later. */
function isTemporary(error: AgentErrorInfo): boolean {
  const { code, status } = error;
  if (code === 'connection') return true;
  // Other code handles these, without a wait.
  if (code === 'context_overflow' || isUnreadableOutput(error) || status === undefined) return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A random time between half and all of the given one. */
function delayOf(attempt: number, options: RetryOptions): number {
  const { baseDelayMs = 500, maxDelayMs = 30_000, random = Math.random } = options;
  const fullMs = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return Math.round(fullMs * (0.5 + random() / 2));
}
