import { WITHOUT_INDENTATION, type FileLines } from '../fileLines';
import { linesOf } from '../lineEnds';
import { beginsWithNumber, numberOf } from '../lineNumbers';
import type { TextEdit } from '../textEdit';
import { hasDoubledBackslashes } from './backslashes';
import { characterWays, encodesChangedLines, escapesFirstMark, hasHidden } from './characters';
import { hasAddedBlanks } from './blanks';
import { hasOtherIndentation } from './indentation';
import { lineMarkWays, prefixWays } from './lineMarks';
import { isSameText } from './sameText';
import { signOf } from './signs';
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
  if (hasDoubledBackslashes(file, edit)) return 'doubled backslashes';
  if (encodesChangedLines(edit)) return 'HTML entities';
  if (escapesFirstMark(file, edit)) return 'escaped quotation marks';
  const sign = signOf(file, edit);
  if (sign !== undefined) return sign;
  if (countsLines(file, edit)) return 'line numbers';
  const known = quotedLines(file, oldText);
  if (known.lines.size === 0) return undefined;
  const isMoreAlike = (way: Way, likeness: (line: string, quoted: QuotedLines) => number): boolean => {
    const read = way(newText);
    if (read === undefined || read === newText || isSameText(read, oldText)) return false;
    const [asRead, asWritten] = [read, newText].map((text) =>
      linesOf(text).reduce((sum, line) => sum + likeness(line, known), 0),
    ) as [number, number];
    return asRead > asWritten || (asRead === asWritten && likeness === likenessOfWhole && keepsOthers(read));
  };
  /** Whether the new text keeps another line as it is read than as it is written. */
  const keepsOthers = (read: string): boolean => {
    const written = new Set(linesOf(newText).map((line) => line.trim()));
    return linesOf(read).some((line) => known.lines.has(line.trim()) && !written.has(line.trim()));
  };
  // The quote has the same marks; its diff signs are others.
  const signed = oldText.replaceAll(/^-/gm, '+');
  const way =
    lineMarkWays.find((one) => one.way(signed) === undefined && isMoreAlike(one.way, likenessOfStart)) ??
    [...prefixWays, ...characterWays].find((one) => isMoreAlike(one.way, likenessOfWhole));
  return way?.words ?? (hasOtherIndentation(file, edit) ? 'another indentation' : undefined);
}

/** Whether the lines of the new text count from the line of the file in which the old text begins. */
function countsLines(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const [old, numbers] = [linesOf(oldText), linesOf(newText).map(numberOf)];
  const [first = Number.NaN] = numbers;
  if (!beginsWithNumber(newText) || beginsWithNumber(oldText)) return false;
  return (
    numbers.every((number, index) => number === first + index) &&
    file.find(old, WITHOUT_INDENTATION).some((line) => line + 1 === first)
  );
}

interface QuotedLines {
  /** All quoted lines as they are. */
  readonly whole: ReadonlySet<string>;
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
  return { whole: new Set(linesOf(oldText)), lines: new Set(lines), heads: new Set(lines.map(headOf)) };
}

function likenessOfWhole(line: string, { lines }: QuotedLines): number {
  return lines.has(line.trim()) ? 1 : 0;
}

/** A changed line mostly begins as before. A kept one mostly has the same indentation, too. */
function likenessOfStart(line: string, { whole, lines, heads }: QuotedLines): number {
  const text = line.trim();
  if (lines.has(text)) return whole.has(line) ? 2.1 : 2;
  return text !== '' && heads.has(headOf(text)) ? 1 : 0;
}

function headOf(line: string): string {
  return /^\W*\w+/.exec(line)?.[0] ?? line;
}
