import type { LineOrigin } from './alignLines';
import type { ActualLine, QuotedPlace } from './quotedPlace';

/** A place where the file has more blank lines than the quote, between two neighbouring solid lines. */
interface BlankGap {
  /** Indexes of the two lines in the quote. */
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

/** The decision about the gaps, by indexes of the new lines. */
interface SettledGaps {
  /** The file's blank lines to keep after a new line. */
  readonly keptAfter: ReadonlyMap<number, readonly ActualLine[]>;
  /** Blank new lines that these replace. */
  readonly covered: ReadonlySet<number>;
  /** Blank new lines that are lines of the file, because the model knew this gap. */
  readonly inPlace: ReadonlyMap<number, ActualLine>;
}

/** Whether a line occurs more than once, so that it may be matched wrongly. */
function isRepeated(lines: readonly string[], index: number): boolean {
  return index !== -1 && countOf(lines, lines[index] ?? '') > 1;
}

function countOf(lines: readonly string[], line: string): number {
  return lines.filter((other) => other.trim() === line.trim()).length;
}

/** `undefined` if it is unclear whether the file's blank lines stay, or where. */
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
  /** Whether the edit also removes another blank line of the quote beside the gap. Then it is unclear which one stays. */
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
  /** Whether the edit takes out a blank line alone. Then it is unclear which one it does not want. */
  const losesLone = origins.some((origin, index) => {
    const next = origins[index + 1];
    if (origin.kind !== 'same' || next?.kind !== 'same') return false;
    return next.oldIndex === origin.oldIndex + 2 && oldLines[origin.oldIndex + 1]?.trim() === '';
  });
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
    // The edit may mean to take the blanks off this line, or to put them there. Among other new lines it may be new.
    const isAmongOthers = from !== -1 && to !== -1 && blanks.length < between.length;
    const isOther = (line: string, text: string): boolean =>
      isAmongOthers ? line !== text : (line === '') !== (text === '');
    if (isKnown && blanks.some((index, nth) => isOther(newLines[index] ?? '', lines[nth]?.text ?? '')))
      return undefined;
    if (from !== -1 && to !== -1 && blanks.length === between.length) {
      if (isKnown ? losesLone : blanks.length !== after - before - 1) return undefined;
      // The edit adds an equal line, which may be the one after the gap.
      if (!isKnown && ((isAdded(from) && isRepeated(newLines, from)) || (isAdded(to) && isRepeated(newLines, to))))
        return undefined;
      // The edit adds blank lines elsewhere, so the new text may mean none here.
      if (!isKnown && countOf(newLines, '') > countOf(oldLines, '')) return undefined;
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
