import { diffRuns, type DiffRun } from './lineDiff';
import { BYTE_ORDER_MARK } from '../lineEnds';

/** Lines that an edit replaces. Old lines are in the text before, new ones in the proposal. 0-based, ends exclusive. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** An edit in hunks, each of which can be left out. */
export interface HunkedEdit {
  readonly before: Lines;
  readonly proposed: Lines;
  /** In order, with unchanged lines between them. */
  readonly hunks: readonly Hunk[];
}

/** The lines of a text. */
export interface Lines {
  /** Each with its line end, if any. Joined they are the text. */
  readonly texts: readonly string[];
  /** For comparing: without byte order mark, and with `\n` as every line end, as in an editor. */
  readonly keys: readonly string[];
}

/** Changes with at most this many unchanged lines between them are one hunk. */
const MAX_GAP = 2;
/** With more changed lines, all of them are one hunk. */
const MAX_CHANGES = 2000;

export function splitLines(text: string): Lines {
  const texts = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return { texts, keys: texts.map(keyOf) };
}

function keyOf(line: string, index: number): string {
  const text = index === 0 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(BYTE_ORDER_MARK.length) : line;
  return text.replace(/[\r\n]+$/, '\n');
}

/** Splits an edit into hunks. `before` is `null` for a new file. Lines that differ only in line ends are in no hunk. */
export function splitHunks(before: string | null, proposed: string): HunkedEdit {
  const [old, wanted] = [splitLines(before ?? ''), splitLines(proposed)];
  const hunks: Hunk[] = [];
  for (const { isEqual, oldStart, oldEnd, newStart, newEnd } of diffRuns(old.keys, wanted.keys, MAX_CHANGES)) {
    if (isEqual) continue;
    const last = hunks.at(-1);
    if (last && oldStart - last.oldEnd <= MAX_GAP) hunks[hunks.length - 1] = { ...last, oldEnd, newEnd };
    else hunks.push({ oldStart, oldEnd, newStart, newEnd });
  }
  return { before: old, proposed: wanted, hunks };
}

/** A proposal without some of its hunks. */
export interface MixedEdit {
  readonly lines: Lines;
  /** The place of each hunk, also of left-out ones. 0-based, end exclusive. */
  readonly places: readonly LineRange[];
}

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The proposal with the old lines for the hunks of `rejected`. */
export function leaveOut(edit: HunkedEdit, rejected: ReadonlySet<number>): MixedEdit {
  const texts: string[] = [];
  const keys: string[] = [];
  const places: LineRange[] = [];
  const add = (lines: Lines, start: number, end: number): void => {
    for (let line = start; line < end; line++) {
      texts.push(lines.texts[line] ?? '');
      keys.push(lines.keys[line] ?? '');
    }
  };
  let done = 0;
  for (const [index, hunk] of edit.hunks.entries()) {
    add(edit.proposed, done, hunk.newStart);
    const start = texts.length;
    if (rejected.has(index)) add(edit.before, hunk.oldStart, hunk.oldEnd);
    else add(edit.proposed, hunk.newStart, hunk.newEnd);
    places.push({ start, end: texts.length });
    done = hunk.newEnd;
  }
  add(edit.proposed, done, edit.proposed.texts.length);
  return { lines: { texts, keys }, places };
}

/**
 * The hunks that a person rejected, derived from the current text: without them the proposal is most similar to it. An edit
 * with one hunk is accepted or rejected as a whole, so it has none.
 */
export function findRejected(edit: HunkedEdit, now: Lines): ReadonlySet<number> {
  if (edit.hunks.length < 2) return new Set();
  let rejected: ReadonlySet<number> = new Set();
  let best = distance(leaveOut(edit, rejected).lines, now);
  for (let index = 0; index < edit.hunks.length && best > 0; index++) {
    const tried = new Set([...rejected, index]);
    const result = distance(leaveOut(edit, tried).lines, now);
    if (result < best) [rejected, best] = [tried, result];
  }
  return rejected;
}

/** How many lines must be removed and added. */
function distance(from: Lines, to: Lines): number {
  return diffRuns(from.keys, to.keys, MAX_CHANGES)
    .filter(({ isEqual }) => !isEqual)
    .reduce((sum, { oldStart, oldEnd, newStart, newEnd }) => sum + oldEnd - oldStart + newEnd - newStart, 0);
}

/** The places of the hunks in the current text, including text typed into them. */
export function findHunks(edit: HunkedEdit, now: Lines, rejected: ReadonlySet<number>): readonly LineRange[] {
  const { lines, places } = leaveOut(edit, rejected);
  const runs = diffRuns(lines.keys, now.keys, MAX_CHANGES);
  return places.map((place) => follow(runs, place));
}

/**
 * The current text with one hunk removed or added again. Text typed into the hunk is replaced, everything else stays. A hunk
 * that already has the wanted state stays unchanged.
 */
export function decideHunk(
  edit: HunkedEdit,
  now: Lines,
  {
    index,
    isKept,
    rejected,
  }: { readonly index: number; readonly isKept: boolean; readonly rejected: ReadonlySet<number> },
): string {
  const hunk = edit.hunks[index];
  const place = findHunks(edit, now, rejected)[index];
  if (!hunk || !place || rejected.has(index) !== isKept) return now.texts.join('');
  const lines = isKept
    ? edit.proposed.texts.slice(hunk.newStart, hunk.newEnd)
    : edit.before.texts.slice(hunk.oldStart, hunk.oldEnd);
  return [...now.texts.slice(0, place.start), ...lines, ...now.texts.slice(place.end)].join('');
}

/** The new range of an old range. Lines added right at its edges are not part of it. */
function follow(runs: readonly DiffRun[], { start, end }: LineRange): LineRange {
  const to = edges(runs, end).before;
  return { start: Math.min(edges(runs, start).after, to), end: to };
}

/** The new positions of a gap between old lines: before and after the lines that were added there. */
function edges(runs: readonly DiffRun[], line: number): { readonly before: number; readonly after: number } {
  let before = 0;
  let after: number | undefined;
  for (const { isEqual, oldStart, oldEnd, newStart, newEnd } of runs) {
    if (oldStart < line && line < oldEnd) {
      const at = newStart + line - oldStart;
      return isEqual ? { before: at, after: at } : { before: newEnd, after: newStart };
    }
    if (oldEnd === line && oldStart < line) before = newEnd;
    if (oldStart === line && oldEnd > line) after ??= newStart;
  }
  return { before, after: after ?? runs.at(-1)?.newEnd ?? 0 };
}
