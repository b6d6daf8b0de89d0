/**
 * Waits for `work`, at most `ms` milliseconds and until `signal` is aborted. Resolves with its result, or with undefined
 * when it was not there in time; `work` itself continues. Rejects as `work` does. Leaves no timer behind: one that is
 * still set keeps the process alive.
 */
export async function withinTime<T>(work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | undefined> {
  let leave: () => void = () => {};
  const late = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
  });
  const timer = setTimeout(leave, ms);
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
