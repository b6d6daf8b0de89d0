import { isBlank } from '../lineEnds';
import type { FileLines } from '../fileLines';
import { alignLines } from '../replacement/alignLines';
import { edgeChange, type BlankEdge, type LineEdit } from './lineEdit';
import type { LinePlace } from './linePlace';
import { restoreReplacement } from '../replacement/restoreReplacement';

/** A range of the original text, as offsets, and its replacement. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
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

/** Applies an edit to whole lines of the file. */
export function replaceLines(file: FileLines, given: LineEdit, core: LinePlace): MatchResult {
  const isRemoval = given.newLines.length === 0;
  const { isFramed, isNewFramed, isDelimited } = given;
  const before = countBlank(file, core.firstLine - 1, -1, given.before.old.length);
  const after = countBlank(file, core.lastLine + 1, 1, given.after.old.length);
  const origins = isRemoval ? [] : alignLines(given.oldLines, given.newLines);
  const edge = (
    line: number,
    step: 1 | -1,
    { old }: BlankEdge,
  ): { readonly isLineKept: boolean; readonly isContinued: boolean; readonly mayLackLine: boolean } => {
    const [had, end] = step === 1 ? [after, core.lastLine] : [before, core.firstLine];
    const at = origins.findIndex((origin) => origin.kind !== 'new' && origin.oldIndex === line);
    const next = old.map((_, offset) => given.newLines[at + step * (offset + 1)]);
    return {
      isLineKept: at !== -1 && at === (step === 1 ? origins.length - 1 : 0),
      isContinued: at !== -1 && next.every((blank) => blank !== undefined && isBlank(blank)),
      mayLackLine: had + countBlank(file, end + step * (had + 2), step, old.length - had) === old.length,
    };
  };
  const atStart = edgeChange(given.before, before, {
    ...edge(0, -1, given.before),
    isRemoval,
    isStart: true,
    isFramed,
    isNewFramed,
    isAtFileStart: core.firstLine - before === 0,
    isDelimited,
  });
  const ofEnd = edge(given.oldLines.length - 1, 1, given.after);
  const atEnd = edgeChange(given.after, after, {
    ...ofEnd,
    isRemoval,
    isStart: false,
    isFramed,
    isNewFramed,
    // It may end with one, though few do.
    isAtFileStart: false,
    isDelimited,
  });
  const unclear: MatchResult = { kind: 'unclear', firstLine: core.firstLine, lastLine: core.lastLine };
  if (atStart === 'unclear' || atEnd === 'unclear' || repeatsNeighbour(file, given, core)) return unclear;
  if (given.after.old.length > after && insertsNext(file, given, core)) return unclear;
  if (isRemoval) {
    if (hasUnquotedLine(file, core)) return unclear;
    const range = { start: file.startOf(core.firstLine - before), end: file.startOf(core.lastLine + 1 + after) };
    return { kind: 'found', replacement: { ...range, text: '' } };
  }
  const { edit, place } = withBlankEdges(given, core, { head: atStart === 'as_written', tail: atEnd === 'as_written' });
  const { firstLine, lastLine } = place;
  const text = restoreReplacement({
    ...edit,
    actual: Array.from({ length: lastLine - firstLine + 1 }, (_, index) => ({
      text: file.contentOf(firstLine + index),
      lineEnd: file.lineEndAfter(firstLine + index),
    })),
    actualOf: place.lineOf.map((line) => (line === -1 ? -1 : line - firstLine)),
    isFirstPartial: false,
    lineEnd: file.lineEnd,
    fileText: file.text,
  });
  if (text === undefined) return unclear;
  return { kind: 'found', replacement: { start: file.startOf(firstLine), end: file.endOf(lastLine), text } };
}

/** Takes the blank lines at the ends into the edit. */
function withBlankEdges(
  edit: LineEdit,
  { firstLine, lastLine, lineOf }: LinePlace,
  takes: { readonly head: boolean; readonly tail: boolean },
): { readonly edit: Pick<LineEdit, 'oldLines' | 'newLines'>; readonly place: LinePlace } {
  const head = takes.head ? edit.before : NO_BLANKS;
  const tail = takes.tail ? edit.after : NO_BLANKS;
  const range = (start: number, count: number): readonly number[] =>
    Array.from({ length: count }, (_, at) => start + at);
  const first = firstLine - head.old.length;
  return {
    edit: {
      oldLines: [...head.old, ...edit.oldLines, ...tail.old],
      newLines: [...head.new, ...edit.newLines, ...tail.new],
    },
    place: {
      firstLine: first,
      lastLine: lastLine + tail.old.length,
      lineOf: [...range(first, head.old.length), ...lineOf, ...range(lastLine + 1, tail.old.length)],
    },
  };
}

const NO_BLANKS: BlankEdge = { old: [], new: [] };

/**
 * Whether the edit adds lines at an end that the file already has there, beside the quote. Then quoted lines are
 * missing.
 */
function repeatsNeighbour(
  file: FileLines,
  { oldLines, newLines }: LineEdit,
  { firstLine, lastLine }: LinePlace,
): boolean {
  const solid = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => line.trim()).filter((line) => line !== '');
  const [old, fresh] = [solid(oldLines), solid(newLines)];
  return (
    startsWithAdded(fresh.toReversed(), old.at(-1), solidBeside(file, lastLine + 1, 1, fresh.length)) ||
    startsWithAdded(fresh, old[0], solidBeside(file, firstLine - 1, -1, fresh.length))
  );
}

/** Whether a line that the edit adds after the end of the quote is the next line of the file. Then the quote left out this line. */
function insertsNext(file: FileLines, { oldLines, newLines }: LineEdit, { lastLine }: LinePlace): boolean {
  const [next] = solidBeside(file, lastLine + 1, 1, 1);
  const last = oldLines.at(-1)?.trim();
  const solid = newLines.map((line) => line.trim()).filter((line) => line !== '');
  return next !== undefined && solid.some((line, index) => line === last && solid[index + 1] === next);
}

/** Whether some lines at the start of `fresh`, which `old` does not have there, are the lines beside the place. */
function startsWithAdded(fresh: readonly string[], old: string | undefined, beside: readonly string[]): boolean {
  if (fresh[0] === old) return false;
  const kept = old === undefined ? -1 : fresh.indexOf(old);
  const most = kept === -1 ? fresh.length : kept;
  for (let count = 1; count <= Math.min(most, beside.length); count++) {
    // The line at the end of `fresh` is the farthest from the quote.
    if (beside.slice(0, count).every((line, index) => line === fresh[count - 1 - index])) return true;
  }
  return false;
}

/** At most `most` lines from `line` on that are not blank, trimmed. */
function solidBeside(file: FileLines, line: number, step: 1 | -1, most: number): readonly string[] {
  const found: string[] = [];
  for (let at = line; found.length < most && at >= 0 && at < file.count; at += step) {
    const text = file.contentOf(at).trim();
    if (text !== '') found.push(text);
  }
  return found;
}

/** How many lines from `line` on are blank, at most `most`. */
function countBlank(file: FileLines, line: number, step: 1 | -1, most: number): number {
  let count = 0;
  for (let at = line; count < most && at >= 0 && at < file.count && isBlank(file.contentOf(at)); at += step) count++;
  return count;
}

/** Whether the quote left out a line between its lines that is not blank. */
function hasUnquotedLine(file: FileLines, { firstLine, lastLine, lineOf }: LinePlace): boolean {
  const quoted = new Set(lineOf);
  for (let line = firstLine; line <= lastLine; line++) {
    if (!quoted.has(line) && !isBlank(file.contentOf(line))) return true;
  }
  return false;
}

/** Replaces a single place. Several places are ambiguous. */
export function replaceOnly(file: FileLines, edit: LineEdit, places: readonly LinePlace[]): MatchResult {
  const [place, another] = places;
  if (!place) return NONE;
  if (another) return { kind: 'ambiguous', starts: places.map(({ firstLine }) => file.startOf(firstLine)) };
  return replaceLines(file, edit, place);
}
