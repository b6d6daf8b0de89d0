export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What `work` gives, or a rejection for people as soon as the time is up or `signal` is aborted. `work` itself goes on. */
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
