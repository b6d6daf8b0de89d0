/** Numbers and choices that a seed decides. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** Some distinct items, in any order. */
  some<T>(count: number, items: readonly T[]): readonly T[];
}

/** The same seed gives the same numbers. Algorithm: mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    between,
    some(count, items) {
      const left = [...items];
      return Array.from({ length: count }, () => left.splice(between(0, left.length - 1), 1)[0]!);
    },
  };
}
