import { addCounts, describeCounts, noCounts } from './counts';
import type { StageOutcome } from './schedule';

/** The last lines of `npm test`. The very last one tells the counts of all stages. */
export function summarize(
  outcomes: readonly StageOutcome[],
  { grep, testCount }: { readonly grep: string | undefined; readonly testCount: number },
): { readonly lines: readonly string[]; readonly isGood: boolean } {
  const total = outcomes.reduce(addCounts, noCounts);
  const lines = outcomes.map(({ name, seconds, ...counts }) => {
    return `${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s   ${describeCounts(counts)}`;
  });
  if (total.failed > 0 || grep === undefined || testCount > 0) {
    return { lines: [...lines, describeCounts(total)], isGood: total.failed === 0 };
  }
  return { lines: [...lines, `No test matches "${grep}".`, describeCounts({ ...total, failed: 1 })], isGood: false };
}
