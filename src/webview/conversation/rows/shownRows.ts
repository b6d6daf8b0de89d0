/** Rows from `start` to before `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** A selection over more rows is drawn only in part. */
const maxSelectedRows = 500;
/** A control farther from the focus is not looked for: a long chat may have none between its texts. */
const maxRowsFromFocus = 50;

/** The ranges inside `0` to `count`, in order, joined where they touch. Empty ranges are left out. */
export function joinRanges(ranges: readonly RowRange[], count: number): readonly RowRange[] {
  const inside = ranges
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(count, end) }))
    .filter(({ start, end }) => start < end)
    .toSorted((one, other) => one.start - other.start);
  const joined: RowRange[] = [];
  for (const range of inside) {
    const last = joined.at(-1);
    if (last === undefined || range.start > last.end) joined.push(range);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return joined;
}

/** Whether one of the ranges holds all rows of `wanted`. */
export function covers(ranges: readonly RowRange[], wanted: RowRange): boolean {
  return ranges.some(({ start, end }) => start <= wanted.start && wanted.end <= end);
}

/**
 * The rows around a row with the focus, up to the next rows that can take it, or 50: Tab and Shift+Tab find their target
 * there.
 * `hasFocusTarget`: the row surely holds a control.
 */
export function rowsAroundFocus(index: number, count: number, hasFocusTarget: (index: number) => boolean): RowRange {
  const [first, last] = [Math.max(0, index - maxRowsFromFocus), Math.min(count, index + maxRowsFromFocus)];
  let start = index - 1;
  while (start > first && !hasFocusTarget(start)) start -= 1;
  let end = index + 1;
  while (end < last && !hasFocusTarget(end)) end += 1;
  return { start: Math.max(0, start), end: Math.min(count, end + 1) };
}

/** The rows of a selection, at most `maxSelectedRows` from its first row. */
export function rowsOfSelection(one: number, other: number): RowRange {
  const start = Math.min(one, other);
  return { start, end: Math.min(Math.max(one, other) + 1, start + maxSelectedRows) };
}
