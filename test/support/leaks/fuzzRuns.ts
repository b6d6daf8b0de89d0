import type { Parameters } from 'fast-check';

/** The seed of CI, where each run tries the same cases. */
const SEED = 20_261_122;

/**
 * How often and from which seed a property is tried. `npm run fuzz` sets both, and the path of a found case with them.
 * `usual`: the number of cases in CI.
 */
export function fuzzRuns(usual: number): Pick<Parameters, 'seed' | 'numRuns' | 'path' | 'endOnFailure'> {
  const { FUZZ_RUNS: runs, FUZZ_SEED: seed, FUZZ_PATH: path } = process.env;
  return {
    seed: seed === undefined ? SEED : Number(seed),
    numRuns: runs === undefined ? usual : Number(runs),
    ...(path !== undefined && { path, endOnFailure: true }),
  };
}
