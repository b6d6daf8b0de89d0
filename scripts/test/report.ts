import { readFileSync } from 'node:fs';
import { parseJson } from '../../src/util/json';
import type { Counts } from './counts';

/** What `mochaReporter.cjs` writes about one run. */
export interface Report {
  readonly counts: Counts;
  /** The failed tests with their errors. */
  readonly failures: readonly string[];
  /** The counts of each test file, by its path relative to the project. */
  readonly files: Readonly<Record<string, Counts>>;
}

/** Reads a report. Undefined if there is no complete one. */
export function readReport(file: string): Report | undefined {
  const report = parseJson(readText(file)) as Partial<Counts & Pick<Report, 'failures' | 'files'>> | null | undefined;
  const { passed = NaN, failed = NaN, skipped = NaN, failures = [], files = {} } = report ?? {};
  if (![passed, failed, skipped].every(Number.isInteger)) return undefined;
  return { counts: { passed, failed, skipped }, failures, files };
}

/** The text of a file, or an empty one if it was not written. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
