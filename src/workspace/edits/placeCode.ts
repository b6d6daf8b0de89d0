import { isBlank, lineEndOf, linesOf, trimBlankEnds, withLineEnds } from './lineEnds';
import { findPlaceholder } from './placeholders';
import { FileLines } from './fileLines';

/**
 * The text of a file in which a block of code replaces its earlier version: from the only line that is like the block's
 * first to the next one like its last, at the same depth. Its indentation is that of the file. `undefined`: there is no
 * such place, or the block leaves out code.
 */
export function placeCode(text: string, code: string): string | undefined {
  const block = trimBlankEnds(linesOf(code));
  const [first = '', last = ''] = [block[0], block.at(-1)];
  if (block.length < 2 || findPlaceholder(code, new FileLines(text)) !== undefined) return undefined;
  const lines = text.split(/(?<=\n)/);
  const starts = lines.flatMap((line, index) => (line.trim() === first.trim() ? [index] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1) return undefined;
  const [there, here] = [indentationOf(lines[start] ?? ''), indentationOf(first)];
  if (!there.startsWith(here)) return undefined;
  const shift = there.slice(here.length);
  const end = lines.findIndex((line, index) => index > start && line.trimEnd() === (shift + last).trimEnd());
  if (end === -1) return undefined;
  const moved = block.map((line) => (isBlank(line) ? '' : shift + line)).join('\n');
  const lineEnd = /\r?\n$/.exec(lines[end] ?? '')?.[0] ?? '';
  return [
    ...lines.slice(0, start),
    withLineEnds(moved, lineEndOf(text) ?? '\n') + lineEnd,
    ...lines.slice(end + 1),
  ].join('');
}

function indentationOf(line: string): string {
  // Not `\s`: a byte order mark stays in the line.
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
