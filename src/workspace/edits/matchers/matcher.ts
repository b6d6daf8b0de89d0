import { isBlank, linesOf } from '../lineEnds';
import type { FileLines } from '../fileLines';
import { restoreReplacement } from '../replacement/restoreReplacement';

/** Replaces one part of a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** A range of the original text, as offsets, and its replacement. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An edit as lines without line ends. Without new lines, the old ones are removed. */
export interface LineEdit {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The old text ends with a newline, the new text does not: a blank line may be meant to be removed. */
  readonly isNewUnfinished?: boolean | undefined;
  readonly isOldFinished?: boolean | undefined;
}

/** The result of one matcher. Each result except `none` decides. */
export type MatchResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly replacement: Replacement }
  /** The offsets of all places that the edit could mean. */
  | { readonly kind: 'ambiguous'; readonly starts: readonly number[] }
  /** The place is clear, but the new text is not. Lines count from 0, `lastLine` included. */
  | { readonly kind: 'unclear'; readonly firstLine: number; readonly lastLine: number };

export const NONE: MatchResult = { kind: 'none' };

/** A final newline that only the new text has means a blank line, as in an exact replacement. */
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
  /** For each quoted line the file's line; -1 for a blank line that the file does not have. */
  readonly lineOf: readonly number[];
}

/** Applies an edit to whole lines of the file. */
export function replaceLines(file: FileLines, given: LineEdit, place: LinePlace): MatchResult {
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

/** Replaces a single place. Several places are ambiguous. */
export function replaceOnly(file: FileLines, edit: LineEdit, places: readonly LinePlace[]): MatchResult {
  const [place, another] = places;
  if (!place) return NONE;
  if (another) return { kind: 'ambiguous', starts: places.map(({ firstLine }) => file.startOf(firstLine)) };
  return replaceLines(file, edit, place);
}
