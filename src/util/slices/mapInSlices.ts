import { Slices } from './slices';

/** So many promises are waited for at once. */
const AT_ONCE = 64;

/** The results for all items, in their order, without blocking for long. Rejects as soon as one does. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T) => R | Promise<R>,
): Promise<readonly Awaited<R>[]> {
  const slices = new Slices();
  const results: Awaited<R>[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    let isOver = false;
    const begun = items.slice(start, start + AT_ONCE).map((item) => {
      const result = map(item);
      isOver = slices.isOver() || isOver;
      return result;
    });
    results.push(...(await Promise.all(begun)));
    if (isOver) await slices.pause();
  }
  return results;
}
