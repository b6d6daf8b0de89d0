import { sharedEnds } from '../sharedEnds';

/** Limits the work of a search, so that hostile texts end it instead of blocking it. */
export class StepBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  spend(steps: number): void {
    this.#left -= steps;
  }
}

/**
 * The Levenshtein distance of two texts, or `limit` if it is at least that. Computes only the band around the diagonal that
 * can stay below the limit.
 */
export function boundedDistance(a: string, b: string, limit: number, budget: StepBudget): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const { head, tail } = sharedEnds(a, b);
  budget.spend(head + tail);
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (left === '' || right === '') return Math.min(limit, left.length + right.length);

  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const from = Math.max(1, row - limit);
    const to = Math.min(right.length, row + limit);
    budget.spend(to - from + 1);
    if (budget.isSpent) return limit;
    const current = Array.from({ length: right.length + 1 }, () => limit);
    current[0] = Math.min(limit, row);
    let best = current[0];
    for (let column = from; column <= to; column++) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      const value = Math.min(
        (previous[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (previous[column - 1] ?? limit) + cost,
        limit,
      );
      current[column] = value;
      best = Math.min(best, value);
    }
    if (best >= limit) return limit;
    previous = current;
  }
  return Math.min(limit, previous[right.length] ?? limit);
}
