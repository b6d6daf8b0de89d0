export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the result of `work`. Rejects with a message for people when the time is up or `signal` is aborted; `work`
 * itself continues.
 */
export async function withDeadline<T>(work: Promise<T>, { timeoutMs, signal }: Deadline): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not ready within ${timeoutMs / 1000} seconds.`)), timeoutMs);
    stop = () => reject(new Error('It was stopped.'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
  }
}
