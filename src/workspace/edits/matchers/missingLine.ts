import { WITHOUT_TRAILING_SPACE, type FileLines } from '../fileLines';
import { isBlank } from '../lineEnds';
import { alignLines } from '../replacement/alignLines';
import type { TextEdit } from '../textEdit';
import { boundedDistance, StepBudget } from './boundedDistance';
import { toLineEdit, type LineEdit } from './lineEdit';
import { placeFrom } from './linePlace';
import { NONE, replaceOnly, type MatchResult } from './matcher';
import { COMMENT } from './otherPlaces';

const MIN_LINES = 3;
/** A quote that leaves out this many lines elsewhere makes the place unclear. */
const MAX_MISSING = 4;
const MAX_STEPS = 3_000_000;

/**
 * Matches lines between which the quote left out one line of the file. The new text must keep the lines on both sides of it
 * as neighbours, so the line stays. No other place may have the lines with a few lines missing. `budget` limits the work.
 */
export function matchMissingLine(file: FileLines, edit: TextEdit, budget = new StepBudget(MAX_STEPS)): MatchResult {
  const lines = toLineEdit(edit);
  if (lines.oldLines.filter((line) => !isBlank(line)).length < MIN_LINES) return NONE;
  const gaps = findGaps(file, lines.oldLines, budget);
  const [gap] = gaps;
  if (budget.isSpent || !gap || gap.missing !== 1) return NONE;
  const line = file.contentOf(gap.line);
  // A model that leaves out comments may have left out those that it changes.
  if (isBlank(line) || COMMENT.test(line)) return NONE;
  const complete = withLine(lines, gap.at, line);
  if (!complete) return NONE;
  if (gaps.length === 1 && mayBeMisquoted(line, lines, gap.at, budget))
    return { kind: 'unclear', firstLine: gap.firstLine, lastLine: gap.firstLine + lines.oldLines.length };
  return replaceOnly(
    file,
    complete,
    gaps.map(({ firstLine }) => placeFrom(firstLine, complete.oldLines.length)),
  );
}

/**
 * Whether the first or last line of the quote may be the missing line beside it, with a letter wrong. That matters only
 * where the new text does not begin or end with this line.
 */
function mayBeMisquoted(line: string, { oldLines, newLines }: LineEdit, at: number, budget: StepBudget): boolean {
  return [0, -1].some((end) => {
    const [quoted, fresh] = [oldLines.at(end)?.trim() ?? '', newLines.at(end)?.trim()];
    const isBeside = at === (end === 0 ? 1 : oldLines.length - 1);
    return isBeside && quoted !== fresh && boundedDistance(line.trim(), quoted, MISQUOTED, budget) < MISQUOTED;
  });
}

/** A line with fewer wrong letters may be the same line. */
const MISQUOTED = 3;

interface Gap {
  readonly firstLine: number;
  /** The index of the first quoted line after the missing ones. */
  readonly at: number;
  /** The first missing line of the file. */
  readonly line: number;
  readonly missing: number;
}

/** All places that have the quoted lines, with up to `MAX_MISSING` other lines at one place between them. */
function findGaps(file: FileLines, quoted: readonly string[], budget: StepBudget): readonly Gap[] {
  const { idOf, ids, linesById } = file.indexBy(WITHOUT_TRAILING_SPACE);
  const wanted = quoted.map((line) => idOf.get(WITHOUT_TRAILING_SPACE.of(line)) ?? -1);
  if (wanted.includes(-1)) return [];
  const found: Gap[] = [];
  for (const firstLine of linesById[wanted[0] as number] ?? []) {
    let head = 1;
    while (head < wanted.length && ids[firstLine + head] === wanted[head]) head++;
    budget.spend(head);
    for (let missing = 1; missing <= MAX_MISSING; missing++) {
      let tail = 0;
      while (tail < wanted.length - 1 && ids[firstLine + wanted.length - 1 + missing - tail] === wanted.at(-1 - tail))
        tail++;
      budget.spend(tail + 1);
      // Where equal lines follow each other, several of them may be the missing one.
      for (let at = wanted.length - tail; at <= Math.min(head, wanted.length - 1); at++)
        found.push({ firstLine, at, line: firstLine + at, missing });
    }
    if (budget.isSpent) return [];
  }
  return found;
}

/** Both texts with the missing line. `undefined` if the new text does not keep its neighbours, or moves the line. */
function withLine(edit: LineEdit, at: number, line: string): LineEdit | undefined {
  const { oldLines, newLines } = edit;
  const isPair = (lines: readonly string[], index: number): boolean =>
    lines[index - 1]?.trim() === oldLines[at - 1]?.trim() && lines[index]?.trim() === oldLines[at]?.trim();
  const pairs = (lines: readonly string[]): number => lines.filter((_, index) => isPair(lines, index)).length;
  const count = (lines: readonly string[]): number => lines.filter((other) => other.trim() === line.trim()).length;
  if (pairs(oldLines) !== 1 || pairs(newLines) !== 1 || count(newLines) !== count(oldLines)) return undefined;
  const origins = alignLines(oldLines, newLines);
  const isKept = (newIndex: number, oldIndex: number): boolean => {
    const origin = origins[newIndex];
    return origin?.kind === 'same' && origin.oldIndex === oldIndex;
  };
  const newAt = newLines.findIndex((_, index) => isKept(index, at) && isKept(index - 1, at - 1));
  if (newAt === -1) return undefined;
  return { ...edit, oldLines: oldLines.toSpliced(at, 0, line), newLines: newLines.toSpliced(newAt, 0, line) };
}
