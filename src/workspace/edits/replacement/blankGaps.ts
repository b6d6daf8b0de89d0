import type { LineOrigin } from './alignLines';
import type { ActualLine, QuotedPlace } from './quotedPlace';

/** More blank lines in the file than in the quote, between two lines that follow each other but for blank ones. */
interface BlankGap {
  /** Indexes of these two in the quote. */
  readonly before: number;
  readonly after: number;
  readonly lines: readonly ActualLine[];
}

export function findGaps({ oldLines, actual, actualOf }: QuotedPlace): readonly BlankGap[] {
  const gaps: BlankGap[] = [];
  let before: number | undefined;
  for (const [index, line] of oldLines.entries()) {
    if (line.trim() === '') continue;
    if (before !== undefined) {
      const lines = actual.slice((actualOf[before] ?? 0) + 1, actualOf[index]);
      if (lines.length > index - before - 1) gaps.push({ before, after: index, lines });
    }
    before = index;
  }
  return gaps;
}

/** What becomes of the gaps, by indexes of the new lines. */
interface SettledGaps {
  /** The file's blank lines, to be kept behind a new line. */
  readonly keptAfter: ReadonlyMap<number, readonly ActualLine[]>;
  /** Blank new lines whose place those take. */
  readonly covered: ReadonlySet<number>;
  /** Blank new lines that are the file's, because the model knew of the gap here. */
  readonly inPlace: ReadonlyMap<number, ActualLine>;
}

/** A line that is there twice may not be the one it is taken for. */
function isRepeated(lines: readonly string[], index: number): boolean {
  return index !== -1 && countOf(lines, lines[index] ?? '') > 1;
}

function countOf(lines: readonly string[], line: string): number {
  return lines.filter((other) => other.trim() === line.trim()).length;
}

/** `undefined` where it cannot be told whether the file's blank lines stay, or before or behind what they stay. */
export function settleGaps(
  gaps: readonly BlankGap[],
  oldLines: readonly string[],
  newLines: readonly string[],
  origins: readonly LineOrigin[],
): SettledGaps | undefined {
  const keptAfter = new Map<number, readonly ActualLine[]>();
  const covered = new Set<number>();
  const inPlace = new Map<number, ActualLine>();
  const isAdded = (index: number): boolean =>
    index !== -1 && countOf(newLines, newLines[index] ?? '') > countOf(oldLines, newLines[index] ?? '');
  const isBlank = (index: number): boolean => newLines[index]?.trim() === '';
  const survives = (oldIndex: number): boolean =>
    origins.some((origin) => origin.kind !== 'new' && origin.oldIndex === oldIndex);
  /** Whether another blank line of the quote goes with the lines on a side of the gap: then it may be that one which stays. */
  const losesBlank = (before: number, after: number, from: number, to: number): boolean => {
    const isLost = (index: number, step: number): boolean => {
      for (let at = index; at >= 0 && at < oldLines.length; at += step) {
        if (oldLines[at]?.trim() === '') return true;
        if (survives(at)) return false;
      }
      return false;
    };
    return (from === -1 && isLost(before, -1)) || (to === -1 && isLost(after, 1));
  };
  for (const { before, after, lines } of gaps) {
    const from = origins.findIndex((origin) => origin.kind !== 'new' && origin.oldIndex === before);
    const to = origins.findIndex((origin) => origin.kind !== 'new' && origin.oldIndex === after);
    if (from === -1 && to === -1) continue;
    const between: number[] = [];
    if (from === -1) for (let index = to - 1; isBlank(index); index--) between.push(index);
    else if (to === -1) for (let index = from + 1; isBlank(index); index++) between.push(index);
    else for (let index = from + 1; index < to; index++) between.push(index);
    const blanks = between.filter(isBlank);
    const isKnown = blanks.length === lines.length;
    if (from !== -1 && to !== -1 && blanks.length === between.length) {
      if (!isKnown && blanks.length !== after - before - 1) return undefined;
      // Another line of the same words was put in: it may be the one that follows the gap.
      if (!isKnown && ((isAdded(from) && isRepeated(newLines, from)) || (isAdded(to) && isRepeated(newLines, to))))
        return undefined;
      keptAfter.set(from, lines);
      for (const index of blanks) covered.add(index);
    } else if (
      isKnown &&
      !isRepeated(newLines, from) &&
      !isRepeated(newLines, to) &&
      !losesBlank(before, after, from, to)
    )
      for (const [nth, index] of blanks.toSorted((a, b) => a - b).entries())
        inPlace.set(index, lines[nth] as ActualLine);
    else return undefined;
  }
  return { keptAfter, covered, inPlace };
}
