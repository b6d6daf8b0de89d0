/** The smallest difference between two texts: `text` replaces `before` from `start` to `end`. */
export interface ChangedRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds the smallest difference, so cursors, folds and markers outside of it stay in place. Never splits a CRLF or a
 * surrogate pair. `undefined`: the texts are equal.
 */
export function changedRange(before: string, after: string): ChangedRange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  while (start > 0 && isSplit(before, start, after)) start -= 1;
  let tail = 0;
  const longestTail = shorter - start;
  while (
    tail < longestTail &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  while (tail > 0 && isJoint(before, before.length - tail)) tail -= 1;
  while (tail > 0 && isJoint(after, after.length - tail)) tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function isSplit(before: string, index: number, after: string): boolean {
  return isJoint(before, index) || isJoint(after, index);
}

/** Whether the characters on both sides of `index` belong together. */
function isJoint(text: string, index: number): boolean {
  const [left, right] = [text.charCodeAt(index - 1), text.charCodeAt(index)];
  if (left === 0x0d && right === 0x0a) return true;
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}
