import { findRejected, leaveOut, splitHunks, splitLines } from '../../workspace/edits/diff/hunks';
import { diffRuns } from '../../workspace/edits/diff/lineDiff';
import { BYTE_ORDER_MARK } from '../../workspace/edits/lineEnds';
import type { EditPlan } from '../../workspace/plans';

/** Removes the byte order mark, as editors do. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/**
 * The text to write when a proposal's editor shows `shown`; `undefined` when nobody changed it. An editor has one kind
 * of line end and no byte order mark. Lines that differ in nothing else keep the bytes of the proposal or, where a hunk
 * was rejected, of the text before.
 */
export function editedProposal(
  { before, after }: Pick<EditPlan, 'before' | 'after'>,
  shown: string,
): string | undefined {
  if (withLineFeeds(withoutByteOrderMark(after)) === withLineFeeds(shown)) return undefined;
  const edit = splitHunks(before, after);
  const now = splitLines(shown);
  const { lines } = leaveOut(edit, findRejected(edit, now));
  const texts = diffRuns(lines.keys, now.keys).flatMap(({ isEqual, oldStart, oldEnd, newStart, newEnd }) =>
    isEqual ? lines.texts.slice(oldStart, oldEnd) : now.texts.slice(newStart, newEnd),
  );
  const text = texts.join('');
  return after.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + withoutByteOrderMark(text) : text;
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
