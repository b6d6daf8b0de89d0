import type { ModelProvider } from '../../../sdk/model/modelProvider';
import { delay } from '../../../util/async/delay';

export interface LookBesideParts {
  readonly isKnown: () => boolean;
  /** Probes the server. Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<unknown>;
  /** Waits before the request for a probe. Resolves when the signal is aborted, too. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A server that runs answers a probe by then. */
const PATIENCE_MS = 500;

/**
 * Wraps `provider`. Probes the server beside each request until it is known. The request waits a moment for the probe,
 * since it is sent in a better form to a known server. A server that is slow or asleep does not hold it up. The end of
 * the request ends the probe.
 */
export function lookBeside(provider: ModelProvider, { isKnown, look, wait = delay }: LookBesideParts): ModelProvider {
  return {
    async *stream(request, options) {
      const answered = new AbortController();
      const looking = isKnown() ? undefined : look(AbortSignal.any([options.signal, answered.signal]));
      try {
        if (looking) await firstOf(looking, (signal) => wait(PATIENCE_MS, signal), options.signal);
        yield* provider.stream(request, options);
      } finally {
        answered.abort();
        await looking;
      }
    },
  };
}

/** Waits for `work`, or for the pause if that ends first. */
async function firstOf(
  work: Promise<unknown>,
  pause: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const paused = pause(AbortSignal.any([signal, over.signal]));
  await Promise.race([work, paused]);
  over.abort();
}
