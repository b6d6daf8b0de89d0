export type LineEnd = '\n' | '\r\n';

/** The more frequent line end of a text; `undefined` if it has none. */
export function lineEndOf(text: string): LineEnd | undefined {
  const newlines = text.split('\n').length - 1;
  if (newlines === 0) return undefined;
  const pairs = text.split('\r\n').length - 1;
  return pairs > newlines - pairs ? '\r\n' : '\n';
}

/** Replaces every line end by `lineEnd`. A return alone is not a line end. */
export function withLineEnds(text: string, lineEnd: LineEnd): string {
  return text.replaceAll(/\r?\n/g, lineEnd);
}

/** Whether a text has a return that is no part of a line end, so that others may be text too. */
export function hasLoneReturn(text: string): boolean {
  return /\r(?!\n)/.test(text);
}

/** The lines of a text, without line ends and byte order mark. A final newline starts no further line. */
export function linesOf(text: string): readonly string[] {
  const lines = withoutByteOrderMark(text).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The reverse of `linesOf`, with a newline after every line. */
export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The lines without the blank ones at both ends. */
export function trimBlankEnds(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => !isBlank(line));
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

export const BYTE_ORDER_MARK = '\uFEFF';

/** Elsewhere in a text it is a hidden character. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/** A model's new text for a file, with the line ends and byte order mark of the existing text. */
export function inStyleOf(existing: string, text: string): string {
  const lineEnd = lineEndOf(existing);
  const styled = lineEnd === undefined ? text : withLineEnds(text, lineEnd);
  return existing.startsWith(BYTE_ORDER_MARK) && !styled.startsWith(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK + styled
    : styled;
}
