/** The longest time, in milliseconds, for which the work keeps everything else in this thread from a turn. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let lastMs = performance.now();
  let isOver = false;
  const look = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastMs);
    lastMs = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return longestMs;
}
