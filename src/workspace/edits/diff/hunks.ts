import { diffRuns, type DiffRun } from './lineDiff';
import { BYTE_ORDER_MARK } from '../lineEnds';

/** A stretch of lines that an edit replaces by others. 0-based, ends exclusive, in the text before and as proposed. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** An edit in pieces, each of which can be left out. */
export interface HunkedEdit {
  readonly before: Lines;
  readonly proposed: Lines;
  /** In order, with unchanged lines between them. */
  readonly hunks: readonly Hunk[];
}

/** A text by lines. */
export interface Lines {
  /** Each with its line end, if it has one: joined they are the text. */
  readonly texts: readonly string[];
  /** What they are compared by: without byte order mark, and every line end a `\n`, as an editor shows them. */
  readonly keys: readonly string[];
}

/** Changes with this many unchanged lines or fewer between them are one hunk: they mostly belong together. */
const MAX_GAP = 2;
/** Past this many changed lines the whole stretch is one hunk. */
const MAX_CHANGES = 2000;

export function splitLines(text: string): Lines {
  const texts = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return { texts, keys: texts.map(keyOf) };
}

function keyOf(line: string, index: number): string {
  const text = index === 0 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(BYTE_ORDER_MARK.length) : line;
  return text.replace(/[\r\n]+$/, '\n');
}

/** Takes an edit apart. `before` is `null` for a new file. What differs in line ends alone is in no hunk. */
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

/** A proposal of which some hunks were left out. */
export interface MixedEdit {
  readonly lines: Lines;
  /** Where each hunk is in it, whether left out or not: 0-based, end exclusive. */
  readonly places: readonly LineRange[];
}

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The proposal without the hunks of `rejected`, which have the lines from before; all others are as proposed. */
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
 * Which hunks a person took out of a proposal, told from its text now: those without which it is nearest to it. An edit
 * of one hunk is taken or left as a whole, and has none.
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

/** How many lines have to be taken out and put in. */
function distance(from: Lines, to: Lines): number {
  return diffRuns(from.keys, to.keys, MAX_CHANGES)
    .filter(({ isEqual }) => !isEqual)
    .reduce((sum, { oldStart, oldEnd, newStart, newEnd }) => sum + oldEnd - oldStart + newEnd - newStart, 0);
}

/** Where the hunks are in the text now, what was typed into them included. */
export function findHunks(edit: HunkedEdit, now: Lines, rejected: ReadonlySet<number>): readonly LineRange[] {
  const { lines, places } = leaveOut(edit, rejected);
  const runs = diffRuns(lines.keys, now.keys, MAX_CHANGES);
  return places.map((place) => follow(runs, place));
}

/**
 * The text now with one hunk taken out or put back. What was typed into the hunk goes with it; everything else stays.
 * A hunk that is there already is left as it is, typing included.
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

/** A stretch of the old side on the new one. Lines that were put in right at its edges are not part of it. */
function follow(runs: readonly DiffRun[], { start, end }: LineRange): LineRange {
  const to = edges(runs, end).before;
  return { start: Math.min(edges(runs, start).after, to), end: to };
}

/** The places of the new side that a gap between old lines can mean: before what was put in there, and after it. */
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
