import { structuredPatch } from 'diff';

export interface UnifiedDiff {
  /** Hunks with `@@` headers, without a file header and line ends; empty if nothing differs. */
  readonly text: string;
  readonly addedLines: number;
  readonly removedLines: number;
  /** Lines that were left out of `text`. The counts include them. */
  readonly unshownLines: number;
}

export interface UnifiedDiffOptions {
  /** Default 3. */
  readonly contextLines?: number | undefined;
  /** Lines of `text`, headers included. Default 400. */
  readonly maxLines?: number | undefined;
}

/** The difference between two texts, line by line. `null`: the file does not exist. */
export function unifiedDiff(before: string | null, after: string, options: UnifiedDiffOptions = {}): UnifiedDiff {
  const { contextLines = 3, maxLines = 400 } = options;
  const hunks = findHunks(before ?? '', after, contextLines);
  const all = hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines.map((line) => line.replace(/\r$/, '')),
  ]);
  const changes = hunks.flatMap((hunk) => hunk.lines);
  const left = all.length - maxLines;
  const shown = left > 0 ? [...all.slice(0, maxLines), `[${left} more lines of this diff are not shown]`] : all;
  return {
    text: shown.join('\n'),
    addedLines: changes.filter((line) => line.startsWith('+')).length,
    removedLines: changes.filter((line) => line.startsWith('-')).length,
    unshownLines: Math.max(left, 0),
  };
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with ` `, `-`, `+` or `\` in front. */
  readonly lines: readonly string[];
}

/** With more changed lines, everything counts as changed: comparing takes quadratic time. */
const MAX_CHANGED_LINES = 2000;

function findHunks(before: string, after: string, contextLines: number): readonly Hunk[] {
  if (before === after) return [];
  const { start, line, tail } = sharedLines(before, after, contextLines);
  const [old, wanted] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)];
  const patch = structuredPatch('', '', old, wanted, undefined, undefined, {
    context: contextLines,
    maxEditLength: MAX_CHANGED_LINES,
  });
  const hunks = patch ? patch.hunks : [replaceEverything(old, wanted)];
  return hunks.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + line, newStart: hunk.newStart + line }));
}

/**
 * The whole lines that both texts share at their ends, without `contextLines` at each, so that the rest alone is split into
 * lines: a change of one line in a file of megabytes. `start`, `tail`: characters. `line`: lines before `start`.
 */
function sharedLines(before: string, after: string, contextLines: number) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let same = 0;
  while (
    same < most - head &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  let start = lineStart(before, head);
  for (let count = 0; count < contextLines; count++) start = lineStart(before, start - 1);
  let end = nextLine(before, before.length - same);
  for (let count = 0; count < contextLines; count++) end = nextLine(before, end);
  let line = 0;
  for (let at = before.indexOf('\n'); at !== -1 && at < start; at = before.indexOf('\n', at + 1)) line++;
  return { start, line, tail: before.length - end };
}

/** The start of the line that has the character at `index`. */
function lineStart(text: string, index: number): number {
  return index <= 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

/** The start of the line after the one with the character at `index`, or the end of the text. */
function nextLine(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end + 1;
}

function replaceEverything(before: string, after: string): Hunk {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  return {
    oldStart: 1,
    oldLines: oldLines.length,
    newStart: 1,
    newLines: newLines.length,
    lines: [...oldLines.map((line) => `-${line}`), ...newLines.map((line) => `+${line}`)],
  };
}

function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** An empty range is written as the line before it. */
function range(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? String(start) : `${start},${count}`;
}
