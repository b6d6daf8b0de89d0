import type { LineOrigin } from './alignLines';
import type { ActualLine, QuotedPlace } from './restoreReplacement';

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
  /** Blank new lines that are meant as they are written, because the model knew of the gap here. */
  readonly asWritten: ReadonlySet<number>;
}

/** A line that is there twice may not be the one it is taken for. */
function isRepeated(lines: readonly string[], index: number): boolean {
  return index !== -1 && lines.indexOf(lines[index] as string) !== lines.lastIndexOf(lines[index] as string);
}

/** `undefined` where it cannot be told whether the file's blank lines stay, or before or behind what they stay. */
export function settleGaps(
  gaps: readonly BlankGap[],
  newLines: readonly string[],
  origins: readonly LineOrigin[],
): SettledGaps | undefined {
  const keptAfter = new Map<number, readonly ActualLine[]>();
  const covered = new Set<number>();
  const asWritten = new Set<number>();
  const isBlank = (index: number): boolean => newLines[index]?.trim() === '';
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
      keptAfter.set(from, lines);
      for (const index of blanks) covered.add(index);
    } else if (isKnown && !isRepeated(newLines, from) && !isRepeated(newLines, to))
      for (const index of blanks) asWritten.add(index);
    else return undefined;
  }
  return { keptAfter, covered, asWritten };
}
