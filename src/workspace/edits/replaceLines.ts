import { BYTE_ORDER_MARK, lineEndOf } from './lineEnds';

/** Counted from 0, the last one included. */
export interface LinesToReplace {
  readonly start: number;
  readonly end: number;
}

export interface ReplaceOptions {
  /** `written` is only the beginning: of the replaced lines, those after as many as it has stay. */
  readonly keepsRest?: boolean | undefined;
}

/**
 * A text in which other lines stand in the place of some. `written` has no line end at its end; it gets the line ends of the
 * text. Without `keepsRest`, an empty `written` removes the lines. Line end at the end and byte order mark of the text stay.
 */
export function replaceLines(
  text: string,
  { start, end }: LinesToReplace,
  written: string,
  { keepsRest = false }: ReplaceOptions = {},
): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const lineEnd = lineEndOf(text) ?? '\n';
  const ended = text.slice(mark.length).split(/(?<=\n)/);
  const lines = ended.map((line) => (line.endsWith('\n') ? line : line + lineEnd));
  const isWithoutEnd = !(ended.at(-1) ?? '').endsWith('\n');
  const added = written === '' && !keepsRest ? [] : written.split('\n').map((line) => line + lineEnd);
  const kept = keepsRest ? lines.slice(start + added.length, end + 1) : [];
  const all = [...lines.slice(0, start), ...added, ...kept, ...lines.slice(end + 1)].join('');
  return mark + (isWithoutEnd ? all.replace(/\r?\n$/, '') : all);
}
