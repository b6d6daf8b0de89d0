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
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: contextLines,
    maxEditLength: MAX_CHANGED_LINES,
  });
  return patch ? patch.hunks : [replaceEverything(before, after)];
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
