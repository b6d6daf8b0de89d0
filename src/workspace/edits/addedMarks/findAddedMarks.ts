import { WITHOUT_INDENTATION, type FileLines } from '../fileLines';
import { isBlank, linesOf, textOf } from '../lineEnds';
import { areNumbered, NUMBER, numberOf } from '../lineNumbers';
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
  if (isNumberedFrom(file, edit)) return 'line numbers';
  if (isAddedToDiff(file, edit)) return 'diff signs';
  if (/^> *\n?$/.test(newText) && !/^>/m.test(file.text)) return 'a mark before each line';
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

/** Whether the lines of the new text have numbers from that of the first quoted line on. */
function isNumberedFrom(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const [old, fresh] = [linesOf(oldText), linesOf(newText)];
  // Numbers alone are text.
  if (!fresh.some((line) => line.replace(NUMBER, '').trim() !== '')) return false;
  const at = numberOf(fresh[0] ?? '') - 1;
  return areNumbered(fresh) && !areNumbered(old) && at < file.count && file.contentOf(at).trim() === old[0]?.trim();
}

/** Whether all lines of the new text have the sign of an added line, and no line of the file has. */
function isAddedToDiff(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const fresh = linesOf(newText).filter((line) => !isBlank(line));
  const isAdded = fresh.length > 0 && fresh.every((line) => /^\+(?!\+)/.test(line));
  // Signs in both texts are a diff, which is read as one.
  if (!isAdded || /^[-+]/m.test(oldText) || /^\+/m.test(file.text)) return false;
  return !isSameText(textOf(fresh.map((line) => line.slice(1))), oldText);
}

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
