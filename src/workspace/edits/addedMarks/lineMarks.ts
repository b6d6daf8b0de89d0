import { isBlank, linesOf, textOf } from '../lineEnds';
import { areNumbered, NUMBER, withoutListNumbers } from '../lineNumbers';
import { isDiffHeader } from '../unwrapping/diffSigns';
import { unescapeJson } from '../typography';
import type { WayOfWriting } from './way';

/** Marks before some lines, or any mark before all. */
export const prefixWays: readonly WayOfWriting[] = [
  { words: 'line numbers', way: (text) => replaced(text, NUMBER) },
  { words: 'line numbers', way: (text) => replaced(text, /^\[\d{1,6}\] /) },
  { words: 'a mark before each line', way: withoutSharedMark },
];

/** Marks before all lines, or before the first one and after the last. */
export const lineMarkWays: readonly WayOfWriting[] = [
  { words: 'line numbers', way: (text) => (areNumbered(linesOf(text)) ? replaced(text, NUMBER) : undefined) },
  { words: 'line numbers', way: (text) => withList(text) },
  { words: 'diff signs', way: (text) => withoutPrefix(text, /^[+ ]/, /^\+/) },
  { words: 'diff signs', way: (text) => withoutPrefix(text, /^[+ ] /, /^\+/) },
  { words: 'diff signs', way: withoutRemovedLines },
  { words: 'quotation marks around it', way: withoutQuotationMarks },
  { words: 'a mark before each line', way: (text) => withoutPrefix(text, /^>(?: |$)/, /^>/) },
];

function replaced(text: string, prefix: RegExp): string {
  return textOf(linesOf(text).map((line) => line.replace(prefix, '')));
}

function withoutPrefix(text: string, prefix: RegExp, needs: RegExp): string | undefined {
  const solid = linesOf(text).filter((line) => !isBlank(line) && !isDiffHeader(line));
  return solid.some((line) => needs.test(line)) && solid.every((line) => prefix.test(line))
    ? replaced(textOf(solid), prefix)
    : undefined;
}

/** Without the signs with which all lines begin, such as `> `, `| ` or `// `. */
function withoutSharedMark(text: string): string | undefined {
  const solid = linesOf(text).filter((line) => !isBlank(line));
  const mark = /^[^\w\s]+ ?/.exec(solid[0] ?? '')?.[0];
  if (mark === undefined || !solid.every((line) => line.startsWith(mark.trimEnd()))) return undefined;
  return textOf(
    solid.map((line) => (line.startsWith(mark) ? line.slice(mark.length) : line.slice(mark.trimEnd().length))),
  );
}

/** The old text of a whole diff: its removed lines and its context. */
function withoutRemovedLines(text: string): string | undefined {
  const lines = linesOf(text);
  const isDiff = ['+', '-'].every((sign) => lines.some((line) => line.startsWith(sign)));
  return isDiff ? withoutPrefix(text, /^[-+ ]/, /^[-+]/) : undefined;
}

/** Text in prose may become a list, but not lines with indentation behind the numbers. */
function withList(text: string): string | undefined {
  const list = withoutListNumbers(linesOf(text));
  return list?.lines.some((line) => /^\s+\S/.test(line)) ? textOf(list.lines) : undefined;
}

function withoutQuotationMarks(text: string): string | undefined {
  const body = text.trim();
  const mark = ['"""', '"', "'", '`'].find((one) => body.startsWith(one) && body.endsWith(one));
  return mark === undefined || body.length <= 2 * mark.length
    ? undefined
    : unescapeJson(body.slice(mark.length, -mark.length));
}
