import { findRejected, leaveOut, splitHunks, splitLines } from '../../workspace/edits/diff/hunks';
import { diffRuns } from '../../workspace/edits/diff/lineDiff';
import { BYTE_ORDER_MARK } from '../../workspace/edits/lineEnds';
import type { EditPlan } from '../../workspace/plans';

/** Editors show a text without its byte order mark. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/**
 * What is to be written when a proposal looks like `shown` in its editor: `undefined` when nobody changed it. An editor
 * knows one kind of line end and no byte order mark, so that only lines which differ beyond these are the person's;
 * all others have the bytes of the proposal or, where a hunk was rejected, of the text before.
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
