import { isBlank, linesOf } from '../lineEnds';
import type { FileLines } from '../fileLines';
import { restoreReplacement } from '../replacement/restoreReplacement';

/** Replaces one stretch of a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** A stretch of the original text, as offsets, and what takes its place. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An edit as lines without their ends; no new lines means that the old ones go. */
export interface LineEdit {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The old text ends in a newline and the new one does not: a blank line may be meant to go. */
  readonly isNewUnfinished?: boolean | undefined;
  readonly isOldFinished?: boolean | undefined;
}

/** What one rung of the ladder makes of an edit. All but `none` decide. */
export type RungResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly replacement: Replacement }
  /** Offsets of all the places it could mean. */
  | { readonly kind: 'ambiguous'; readonly starts: readonly number[] }
  /** The place is clear, but not what its text should become. Lines from 0, the last included. */
  | { readonly kind: 'unclear'; readonly firstLine: number; readonly lastLine: number };

export const NONE: RungResult = { kind: 'none' };

/** A final newline that only the new text has is a blank line, as it would be in an exact replacement. */
export function toLineEdit({ oldText, newText }: TextEdit): LineEdit {
  const oldLines = linesOf(oldText);
  const newLines = linesOf(newText);
  const [isOldFinished, isNewFinished] = [oldText.endsWith('\n'), newText.endsWith('\n')];
  if (isNewFinished && !isOldFinished) return { oldLines, newLines: [...newLines, ''] };
  return { oldLines, newLines, isOldFinished, isNewUnfinished: isOldFinished && !isNewFinished && newText !== '' };
}

/** The lines of the file that a quote means, counted from 0. */
export interface LinePlace {
  readonly firstLine: number;
  readonly lastLine: number;
  /** For every quoted line the file's line; -1 for a blank one that the file does not have. */
  readonly lineOf: readonly number[];
}

/** The edit made on whole lines of the file. */
export function replaceLines(file: FileLines, given: LineEdit, place: LinePlace): RungResult {
  const { firstLine } = place;
  const next = place.lastLine + 1;
  const takesBlank = given.isNewUnfinished && next < file.count && isBlank(file.contentOf(next));
  const lastLine = takesBlank ? next : place.lastLine;
  const lineOf = takesBlank ? [...place.lineOf, next] : place.lineOf;
  const edit = takesBlank ? { ...given, oldLines: [...given.oldLines, ''] } : given;
  const start = file.startOf(firstLine);
  if (edit.newLines.length === 0) {
    return { kind: 'found', replacement: { start, end: file.startOf(lastLine + 1), text: '' } };
  }
  const text = restoreReplacement({
    ...edit,
    actual: Array.from({ length: lastLine - firstLine + 1 }, (_, index) => ({
      text: file.contentOf(firstLine + index),
      lineEnd: file.lineEndAfter(firstLine + index),
    })),
    actualOf: lineOf.map((line) => (line === -1 ? -1 : line - firstLine)),
    isFirstPartial: false,
    lineEnd: file.lineEnd,
    fileText: file.text,
  });
  if (text === undefined) return { kind: 'unclear', firstLine, lastLine };
  return { kind: 'found', replacement: { start, end: file.endOf(lastLine), text } };
}

/** Decides between places: one is replaced, several are ambiguous. */
export function replaceOnly(file: FileLines, edit: LineEdit, places: readonly LinePlace[]): RungResult {
  const [place, another] = places;
  if (!place) return NONE;
  if (another) return { kind: 'ambiguous', starts: places.map(({ firstLine }) => file.startOf(firstLine)) };
  return replaceLines(file, edit, place);
}
