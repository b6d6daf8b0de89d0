import { WITHOUT_INDENTATION, type FileLines } from '../fileLines';
import { isBlank, linesOf, textOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';
import { characterWays, hasHidden } from './characters';
import { hasAddedBlanks } from './blanks';
import { hasOtherIndentation } from './indentation';
import { lineMarkWays, prefixWays } from './lineMarks';
import { isSameText } from './sameText';
import type { Way } from './way';
import { wrapperOf } from './wrappers';

/**
 * Finds a way of writing that only the new text has: marks around it or before its lines, encoded characters, or another
 * indentation. With another change beside it, the model did not mean it. A way that is the whole change is meant.
 * Returns words for the model, `undefined` for none.
 */
export function findAddedMarks(file: FileLines, edit: TextEdit): string | undefined {
  const { oldText, newText } = edit;
  const shown = wrapperOf(file, edit) ?? (hasAddedBlanks(file, edit) ? 'blanks at the ends of lines' : undefined);
  if (shown !== undefined) return shown;
  if (hasHidden(file, edit)) return 'characters that do not show';
  const sign = signOf(file, edit);
  if (sign !== undefined) return sign;
  const known = quotedLines(file, oldText);
  if (known.lines.size === 0) return undefined;
  const isMoreAlike = (way: Way, likeness: (line: string, quoted: QuotedLines) => number): boolean => {
    const read = way(newText);
    if (read === undefined || read === newText || isSameText(read, oldText)) return false;
    const [asRead, asWritten] = [read, newText].map((text) =>
      linesOf(text).reduce((sum, line) => sum + likeness(line.trim(), known), 0),
    ) as [number, number];
    return asRead > asWritten;
  };
  // The quote has the same marks; its diff signs are others.
  const signed = oldText.replaceAll(/^-/gm, '+');
  const way =
    lineMarkWays.find((one) => one.way(signed) === undefined && isMoreAlike(one.way, likenessOfStart)) ??
    [...prefixWays, ...characterWays].find((one) => isMoreAlike(one.way, likenessOfWhole));
  return way?.words ?? (hasOtherIndentation(file, edit) ? 'another indentation' : undefined);
}

/** Words for the sign with which all lines of the new text begin, and no line of the file. */
function signOf(file: FileLines, { oldText, newText }: TextEdit): string | undefined {
  const fresh = linesOf(newText).filter((line) => !isBlank(line));
  const [sign] = fresh[0] ?? '';
  if (sign === undefined || !fresh.every((line) => line.startsWith(sign))) return undefined;
  const bodies = fresh.map((line) => line.slice(1));
  if (isSameText(textOf(bodies), oldText)) return undefined;
  if (isQuotedTwice(file, oldText, fresh)) return 'a mark before each line';
  // Behind a quote sign, words may be a new quotation.
  const isMail = sign === '>' && (bodies.every(isBlank) || file.hasOneLine);
  const isDiff = sign === '+' && !bodies.some((body) => body.startsWith('+'));
  // Signs in both texts are a diff, which is read as one.
  const isKnown = isSigned(oldText) || file.text.startsWith(sign) || file.text.includes(`\n${sign}`);
  if ((!isMail && !isDiff) || isKnown) return undefined;
  return isDiff ? 'diff signs' : 'a mark before each line';
}

/** Whether a text may be one side of a diff: each line has a sign, not all of them the blank of a context line. */
function isSigned(text: string): boolean {
  return /^[-+>]/m.test(text) && linesOf(text).every((line) => isBlank(line) || /^[-+> ]/.test(line));
}

/** Whether all lines have two quote signs, where the quotation had one. */
function isQuotedTwice(file: FileLines, oldText: string, fresh: readonly string[]): boolean {
  const quoted = linesOf(oldText).filter((line) => !isBlank(line));
  return (
    fresh.every((line) => TWICE.test(line)) &&
    quoted.length > 0 &&
    quoted.every((line) => line.startsWith('>')) &&
    !TWICE.test(file.text)
  );
}

const TWICE = /^> ?>/m;

interface QuotedLines {
  /** The quoted lines that the file has, without indentation. */
  readonly lines: ReadonlySet<string>;
  /** Their first words, with the marks before them. */
  readonly heads: ReadonlySet<string>;
}

function quotedLines(file: FileLines, oldText: string): QuotedLines {
  const { idOf } = file.indexBy(WITHOUT_INDENTATION);
  const lines = linesOf(oldText)
    .map((line) => line.trim())
    .filter((line) => line !== '' && idOf.has(line));
  return { lines: new Set(lines), heads: new Set(lines.map(headOf)) };
}

function likenessOfWhole(line: string, { lines }: QuotedLines): number {
  return lines.has(line) ? 1 : 0;
}

/** A changed line mostly begins as before. */
function likenessOfStart(line: string, { lines, heads }: QuotedLines): number {
  return lines.has(line) ? 2 : line !== '' && heads.has(headOf(line)) ? 1 : 0;
}

function headOf(line: string): string {
  return /^\W*\w+/.exec(line)?.[0] ?? line;
}
