import { AgentError } from './errors';

/** The value of a promise, or that the signal was aborted first. */
export type Raced<T> = { readonly isAborted: false; readonly value: T } | { readonly isAborted: true };

/**
 * Waits for `work` until `signal` is aborted. Rejects as `work` does. After an abort, a later failure of `work` is
 * ignored.
 */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<Raced<T>> {
  const settled = work.then((value): Raced<T> => ({ isAborted: false, value }));
  if (signal.aborted) {
    settled.catch(() => undefined);
    return { isAborted: true };
  }
  let stopListening = (): void => {};
  const aborted = new Promise<Raced<T>>((resolve) => {
    const onAbort = (): void => resolve({ isAborted: true });
    signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    stopListening();
  }
}

/** The reasons with which the SDK aborts signals. Their messages go into tool results. */
export function runInterrupted(): AgentError {
  return new AgentError({ code: 'interrupted', message: 'The user interrupted the run.' });
}

export function toolStopped(): AgentError {
  return new AgentError({ code: 'interrupted', message: 'The user stopped this tool call.' });
}

/** Why a signal was aborted, as a sentence. */
export function abortMessage(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  const isTold = reason instanceof AgentError || (reason instanceof DOMException && reason.name === 'TimeoutError');
  return isTold ? reason.message : runInterrupted().message;
}
