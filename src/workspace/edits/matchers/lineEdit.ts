import { isBlank, linesOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';

/**
 * An edit as lines without line ends, and the blank lines at both ends apart. Without new lines, the old ones are
 * removed.
 */
export interface LineEdit {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly before: BlankEdge;
  readonly after: BlankEdge;
  /** The old text stands between newlines, with blanks after the last one, as in an indented template. */
  readonly isFramed: boolean;
  /** The new text stands so too. */
  readonly isNewFramed: boolean;
  /** Marks around both texts or before their lines show where they begin and end. */
  readonly isDelimited: boolean;
}

/** The blank lines at one end of each text. */
export interface BlankEdge {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** Blanks after the final newline count as nothing, so a final newline of one text alone neither adds nor removes a line. */
export function toLineEdit({ oldText, newText }: TextEdit): LineEdit {
  const [old, fresh] = [trimmed(oldText), trimmed(newText)];
  return {
    oldLines: old.lines,
    newLines: fresh.lines,
    before: { old: old.before, new: fresh.before },
    after: { old: old.after, new: fresh.after },
    isFramed: isFramed(oldText),
    isNewFramed: isFramed(newText),
    isDelimited: false,
  };
}

function isFramed(text: string): boolean {
  return /^[ \t]*\r?\n/.test(text) && /\n[ \t]+$/.test(text);
}

interface TrimmedLines {
  readonly lines: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function trimmed(text: string): TrimmedLines {
  const all = linesOf(text.replace(/\n[ \t]+$/, '\n'));
  const first = all.findIndex((line) => !isBlank(line));
  if (first === -1) return { lines: [], before: all, after: [] };
  const last = all.findLastIndex((line) => !isBlank(line));
  return { lines: all.slice(first, last + 1), before: all.slice(0, first), after: all.slice(last + 1) };
}

/**
 * What an edit does to the file's quoted blank lines at one end. `as_written`: they are lines of the edit as all others.
 * `keep`: they stay, and so do missing ones.
 */
type EdgeChange = 'as_written' | 'keep' | 'remove' | 'unclear';

/**
 * `had` is how many of the quoted blank lines the file has, `isLineKept` whether the new text keeps the last line
 * before them, `isContinued` whether it keeps them too, with more lines after them. What the file does not have, an
 * edit can neither remove nor add to. A newline alone at the end of the new text adds nothing, other than at the start
 * (`isStart`). A file does not begin with a new blank line (`isAtFileStart`: the place is there). `mayLackLine`: the file
 * has the other quoted blank lines behind one more line, which the quote may have left out. Of a framed quote, a blank
 * line that the new text leaves out at an end is unclear: it may belong to the frame.
 */
export function edgeChange(
  edge: BlankEdge,
  had: number,
  {
    isLineKept,
    isRemoval,
    isContinued,
    isStart,
    isFramed,
    isNewFramed,
    isAtFileStart,
    mayLackLine,
    isDelimited,
  }: {
    readonly isLineKept: boolean;
    readonly isRemoval: boolean;
    readonly isContinued: boolean;
    readonly isStart: boolean;
    readonly isFramed: boolean;
    readonly isNewFramed: boolean;
    readonly isAtFileStart: boolean;
    readonly mayLackLine: boolean;
    readonly isDelimited: boolean;
  },
): EdgeChange {
  const [old, fresh] = [edge.old.length, edge.new.length];
  const isExact = had === old && isDelimited && !isFramed;
  if (isExact && !isRemoval) return 'as_written';
  if (isRemoval) {
    const isKnown = had === 0 || (had === old && !isFramed);
    return fresh === 0 && isKnown ? 'remove' : 'unclear';
  }
  const isOnlyOldFramed = isFramed && !isNewFramed;
  // The new text has those of the file. One more in the quote is the frame's. Without a frame, one more may also stand in
  // both texts, where the new text leaves one out.
  const isAsInFile = fresh === had && !mayLackLine && old - had >= (isOnlyOldFramed && isStart ? 1 : 2);
  // A blank line of the new text is new.
  if (isOnlyOldFramed && fresh > 0 && !isAsInFile && !(had === old && isLineKept)) return 'unclear';
  if (had === old) {
    const isWritten = fresh === old || (fresh < old ? isContinued && !isFramed : isStart);
    return isWritten ? 'as_written' : 'unclear';
  }
  // Nothing stands before the first line, so nothing is missing there.
  const isNoLine = isAtFileStart && fresh === old;
  // The quoted blank lines are text: they hold blanks, or the new text goes on after them. So a line of the file is missing.
  if ((isContinued && !isNoLine) || [...edge.old, ...edge.new].some((line) => line !== '')) return 'unclear';
  const isOnlyQuoted = fresh === 0 && had === 0;
  return isOnlyQuoted || isNoLine || isAsInFile || (fresh === old && isLineKept) ? 'keep' : 'unclear';
}
