import { Slices } from './slices';

/** So many items are sorted at once. */
const RUN_LENGTH = 500;

/** A sorted copy, as `toSorted` makes it, without blocking for long. Items that are equal keep their order. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  if (items.length <= RUN_LENGTH) return items.toSorted(compare);
  const slices = new Slices();
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += RUN_LENGTH) {
    runs.push(items.slice(start, start + RUN_LENGTH).sort(compare));
    await slices.pause();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [first = [], second = []] = [runs[index], runs[index + 1]];
      merged.push(await merge(first, second, compare, slices));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < first.length && right < second.length) {
    const [a, b] = [first[left] as T, second[right] as T];
    if (compare(a, b) <= 0) {
      merged.push(a);
      left += 1;
    } else {
      merged.push(b);
      right += 1;
    }
    if (slices.isOver()) await slices.pause();
  }
  return merged.concat(first.slice(left), second.slice(right));
}
