import { isBlank } from '../lineEnds';
import { alignLines } from './alignLines';
import type { QuotedPlace } from './quotedPlace';

/**
 * Takes the quoted blank lines that the file does not have out of both texts. `undefined` if it is unclear which blank lines of
 * the new text these are.
 */
export function withoutMissingBlanks(place: QuotedPlace): QuotedPlace | undefined {
  const { oldLines, newLines, actualOf } = place;
  const isMissing = (index: number): boolean => actualOf[index] === -1;
  if (!oldLines.some((_, index) => isMissing(index))) return place;
  const solid = (lines: readonly string[]): readonly number[] =>
    lines.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  const [oldSolid, newSolid] = [solid(oldLines), solid(newLines)];
  const origins = alignLines(
    oldSolid.map((index) => oldLines[index] as string),
    newSolid.map((index) => newLines[index] as string),
  );
  // For each solid quoted line, its place among the solid new lines; -1 if the new text does not have it.
  const placeOf = oldSolid.map((_, at) => origins.findIndex((one) => one.kind !== 'new' && one.oldIndex === at));
  const dropped = new Set<number>();
  const known = new Set<number>();
  let losesMissing = false;
  let losesReal = false;
  for (let at = 0; at + 1 < oldSolid.length; at++) {
    const [from, to] = [oldSolid[at] as number, oldSolid[at + 1] as number];
    const missing = range(from + 1, to).filter(isMissing).length;
    const before = placeOf.slice(0, at + 1).findLast((one) => one !== -1) ?? -1;
    const after = placeOf.slice(at + 1).find((one) => one !== -1) ?? newSolid.length;
    const blanks = range((newSolid[before] ?? -1) + 1, newSolid[after] ?? newLines.length).filter((index) =>
      isBlank(newLines[index] ?? ''),
    );
    const quoted = to - from - 1;
    const isKept = before !== -1 && before === placeOf[at] && after === before + 1 && after === placeOf[at + 1];
    if (isKept && blanks.length <= quoted) for (const index of blanks) known.add(index);
    if (isKept && blanks.length < quoted - missing) losesReal = true;
    if (missing === 0) continue;
    // Of different blank lines, the file may have any.
    if (new Set(oldLines.slice(from + 1, to)).size > 1) return undefined;
    losesMissing ||= !isKept || blanks.length !== quoted;
    if (!isKept ? blanks.length > 0 : blanks.length !== quoted && blanks.length !== quoted - missing) return undefined;
    if (isKept && blanks.length === quoted) for (const index of blanks.slice(0, missing)) dropped.add(index);
  }
  // The edit removes a blank line of the file, so the one that both texts have may be this one, moved.
  if (losesReal && dropped.size > 0) return undefined;
  const inner = range(newSolid[0] ?? 0, newSolid.at(-1) ?? 0);
  // A model that adds a blank line between all lines may have added these too, and one of them may be that of lines that went.
  const isSpread = oldSolid.every((index, at) => index + 1 !== oldSolid[at + 1]);
  if ((isSpread || losesMissing) && inner.some((index) => isBlank(newLines[index] ?? '') && !known.has(index)))
    return undefined;
  const kept = oldLines.flatMap((_, index) => (isMissing(index) ? [] : [index]));
  return {
    ...place,
    oldLines: kept.map((index) => oldLines[index] as string),
    actualOf: kept.map((index) => actualOf[index] as number),
    newLines: newLines.filter((_, index) => !dropped.has(index)),
  };
}

function range(start: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
}
