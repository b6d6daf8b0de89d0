import { addCounts, describeCounts, noCounts } from './counts';
import type { Failure } from './runCommand';
import type { StageOutcome } from './schedule';

export interface SummaryOptions {
  /** The text of `--grep`. */
  readonly grep: string | undefined;
  /** The number of tests that ran, without checks such as the linter. */
  readonly testCount: number;
  readonly failures: readonly Failure[];
  /** What failed at the first try and passed at the second. */
  readonly secondTries: readonly Failure[];
}

/** The last lines of `npm test`: what failed, the counts of each stage, and at the very end the counts of all stages. */
export function summarize(
  outcomes: readonly StageOutcome[],
  { grep, testCount, failures, secondTries }: SummaryOptions,
): { readonly lines: readonly string[]; readonly isGood: boolean } {
  const total = outcomes.reduce(addCounts, noCounts);
  const indented = ({ stage, text }: Failure, before = ''): string =>
    `${stage}: ${before}${text.replaceAll('\n', '\n    ')}\n`;
  const lines = [
    ...secondTries.map((failure) => indented(failure, 'passed only at the second try: ')),
    ...failures.map((failure) => indented(failure)),
    ...outcomes.map(({ name, seconds, ...counts }) => {
      return `${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s   ${describeCounts(counts)}`;
    }),
  ];
  if (total.failed > 0 || grep === undefined || testCount > 0) {
    return { lines: [...lines, describeCounts(total)], isGood: total.failed === 0 };
  }
  return { lines: [...lines, `No test matches "${grep}".`, describeCounts({ ...total, failed: 1 })], isGood: false };
}
