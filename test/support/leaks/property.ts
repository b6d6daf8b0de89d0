/** The cases are counted, and a busy machine needs long for them. */
const LIMIT_MS = process.env['FUZZ_RUNS'] === undefined ? 20 * 60_000 : 0;

/** A test of many generated cases. */
export function property(title: string, test: Mocha.AsyncFunc): Mocha.Test {
  return it(title, test).timeout(LIMIT_MS);
}
