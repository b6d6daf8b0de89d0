import { findHunks, findRejected, leaveOut, splitHunks, splitLines, type LineRange } from './hunks';
import { unifiedDiff } from './unifiedDiff';

const MAX_DIFF_LINES = 120;
const MAX_HUNKS = 10;
const MAX_QUOTE = 60;

/**
 * Tells the model how a person changed its proposal: the rejected hunks and other changes. `undefined` if there are none.
 * Line numbers are those of the applied text.
 */
export function describeDecision(before: string | null, proposed: string, applied: string): string | undefined {
  if (applied === proposed) return undefined;
  const edit = splitHunks(before, proposed);
  const now = splitLines(applied);
  const rejected = findRejected(edit, now);
  const rest = leaveOut(edit, rejected).lines.texts.join('');
  const places = findHunks(edit, now, rejected);
  const sentences: string[] = [];
  if (rejected.size > 0) {
    const all = [...rejected];
    const named = all.slice(0, MAX_HUNKS).map((index) => {
      const { newStart, newEnd, oldStart, oldEnd } = edit.hunks[index]!;
      const put = edit.proposed.keys.slice(newStart, newEnd);
      const quote = firstWords(put) ?? firstWords(edit.before.keys.slice(oldStart, oldEnd));
      return `${index + 1} (${linesOf(places[index]!)}${quote === undefined ? '' : `, ${quote}`})`;
    });
    if (all.length > named.length) named.push(`${all.length - named.length} more`);
    const what = all.length === 1 ? 'hunk' : 'hunks';
    sentences.push(`Rejected by the user and not applied: ${what} ${named.join(', ')} of ${edit.hunks.length}.`);
  }
  if (rest !== applied) {
    const { text } = unifiedDiff(rest, applied, { contextLines: 1, maxLines: MAX_DIFF_LINES });
    sentences.push(
      rejected.size > 0
        ? `The user also changed the rest of your proposal. The difference to the applied text:\n${text}`
        : `The user changed your proposal before accepting it. The difference between your proposal and the file now:\n${text}`,
    );
  }
  return sentences.join(' ');
}

function linesOf({ start, end }: LineRange): string {
  if (end === start) return start === 0 ? 'at the start' : `after line ${start}`;
  return end - start === 1 ? `line ${end}` : `lines ${start + 1}-${end}`;
}

function firstWords(lines: readonly string[]): string | undefined {
  const line = lines.map((text) => text.trim()).find((text) => text !== '');
  if (line === undefined) return undefined;
  return JSON.stringify(line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line);
}
