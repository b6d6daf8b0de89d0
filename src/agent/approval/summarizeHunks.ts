import { splitHunks } from '../../workspace/edits/diff/hunks';
import type { EditPlan } from '../../workspace/plans';
import type { HunkSummary } from '../view/approvalSummary';

const CONTEXT_LINES = 2;
/** The most hunks on a card. The whole diff has its own limit. */
const MAX_HUNKS = 50;
const MAX_LINES = 400;

/**
 * The hunks of an edit for a screen, and the number of their lines that are left out; `undefined` when there is one, or
 * more than a card shows.
 */
export function summarizeHunks({
  before,
  after,
}: EditPlan): { readonly hunks: readonly HunkSummary[]; readonly unshownLines: number } | undefined {
  const { before: old, proposed, hunks } = splitHunks(before, after);
  if (hunks.length < 2 || hunks.length > MAX_HUNKS) return undefined;
  const maxLines = Math.floor(MAX_LINES / hunks.length);
  let unshownLines = 0;
  const summaries = hunks.map(({ oldStart, oldEnd, newStart, newEnd }, index) => {
    const above = Math.min(CONTEXT_LINES, oldStart - (hunks[index - 1]?.oldEnd ?? 0));
    const below = Math.min(CONTEXT_LINES, (hunks[index + 1]?.oldStart ?? old.keys.length) - oldEnd);
    const lines = [
      ...old.keys.slice(oldStart - above, oldStart).map((line) => ` ${line}`),
      ...old.keys.slice(oldStart, oldEnd).map((line) => `-${line}`),
      ...proposed.keys.slice(newStart, newEnd).map((line) => `+${line}`),
      ...old.keys.slice(oldEnd, oldEnd + below).map((line) => ` ${line}`),
    ].map((line) => line.replace(/\n$/, ''));
    const left = lines.length - maxLines;
    unshownLines += Math.max(left, 0);
    const shown = left > 0 ? [...lines.slice(0, maxLines), `[${left} more lines of this change are not shown]`] : lines;
    const [oldCount, newCount] = [oldEnd - oldStart + above + below, newEnd - newStart + above + below];
    const header = `@@ -${oldStart - above + 1},${oldCount} +${newStart - above + 1},${newCount} @@`;
    return { diff: [header, ...shown].join('\n'), state: 'open' } as const;
  });
  return { hunks: summaries, unshownLines };
}
