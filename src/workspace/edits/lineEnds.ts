export type LineEnd = '\n' | '\r\n';

/** The more frequent line end of a text; `undefined` when it has none. */
export function lineEndOf(text: string): LineEnd | undefined {
  const newlines = text.split('\n').length - 1;
  if (newlines === 0) return undefined;
  const pairs = text.split('\r\n').length - 1;
  return pairs > newlines - pairs ? '\r\n' : '\n';
}

/** The text with every line end turned into `lineEnd`. A return on its own is not a line end. */
export function withLineEnds(text: string, lineEnd: LineEnd): string {
  return text.replaceAll(/\r?\n/g, lineEnd);
}

export const BYTE_ORDER_MARK = '\uFEFF';

/** A model's text for a file that exists already, with that file's line ends and byte order mark. */
export function inStyleOf(existing: string, text: string): string {
  const lineEnd = lineEndOf(existing);
  const styled = lineEnd === undefined ? text : withLineEnds(text, lineEnd);
  return existing.startsWith(BYTE_ORDER_MARK) && !styled.startsWith(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK + styled
    : styled;
}
