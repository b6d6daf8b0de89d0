export interface CountedWork {
  /** The most steps between two turns of the event loop. */
  readonly most: number;
  readonly all: number;
}

/** Counts the steps of some work, and how many of them keep everything else in this thread from a turn. */
export async function countWork(work: (step: () => void) => Promise<unknown>): Promise<CountedWork> {
  let [most, all, current] = [0, 0, 0];
  let isOver = false;
  const turn = (): void => {
    most = Math.max(most, current);
    all += current;
    current = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work(() => (current += 1));
  isOver = true;
  turn();
  return { most, all };
}
