import { PLAIN_WITHOUT_INDENTATION, WITHOUT_TRAILING_SPACE, type FileLines, type LineKey } from '../fileLines';
import { learnIndentation, partsOf } from '../replacement/indentation';
import { isBlank } from '../lineEnds';
import type { LineEdit } from './lineEdit';
import { replaceOnly, type LinePlace, type MatchResult } from './matcher';

/** Matches whole lines that are equal by a key and whose indentation follows one rule. */
export function matchWholeLines(file: FileLines, edit: LineEdit, key: LineKey): MatchResult {
  if (edit.oldLines.every(isBlank)) return { kind: 'none' };
  const all = file.find(edit.oldLines, key).map((firstLine) => placeFrom(firstLine, edit.oldLines.length));
  const places = all.filter((place) => isIndentedAlike(file, edit.oldLines, place));
  const isMoved = key.name === PLAIN_WITHOUT_INDENTATION.name;
  const isDoubtful = isMoved || places.some((place) => lacksBlankLine(file, edit, place));
  const alike = isDoubtful ? otherPlaces(file, edit, places, { amongComments: isMoved }) : [];
  // Where the blank lines at the ends are missing, a place that has them may be meant, with another indentation.
  const isMissing = places.some((place) => !hasBlankEdges(file, edit, place));
  const others = isMissing ? all.filter((place) => !places.includes(place) && hasBlankEdges(file, edit, place)) : [];
  if (places.length > 0 && isMissing) others.push(...alreadyChanged(file, edit, places));
  return replaceOnly(file, edit, [...places, ...alike, ...others]);
}

/** Other places that have the new lines already. The quote may mean them, with a part of a line left out. */
function alreadyChanged(file: FileLines, { newLines }: LineEdit, places: readonly LinePlace[]): readonly LinePlace[] {
  if (newLines.every(isBlank)) return [];
  return file
    .find(newLines, WITHOUT_TRAILING_SPACE)
    .map((firstLine) => placeFrom(firstLine, newLines.length))
    .filter((one) => places.every((place) => one.firstLine > place.lastLine || one.lastLine < place.firstLine));
}

/** Whether the file has all blank lines with which the quote begins and ends. */
function hasBlankEdges(file: FileLines, { before, after }: LineEdit, { firstLine, lastLine }: LinePlace): boolean {
  const isBlankLine = (line: number): boolean => line >= 0 && line < file.count && isBlank(file.contentOf(line));
  return (
    before.old.every((_, index) => isBlankLine(firstLine - 1 - index)) &&
    after.old.every((_, index) => isBlankLine(lastLine + 1 + index))
  );
}

/** Whether the quote begins or ends with a blank line that the file does not have there. It may have lost another one. */
function lacksBlankLine(file: FileLines, { before, after }: LineEdit, { firstLine, lastLine }: LinePlace): boolean {
  const isSolid = (line: number): boolean => line >= 0 && line < file.count && !isBlank(file.contentOf(line));
  return (before.old.length > 0 && isSolid(firstLine - 1)) || (after.old.length > 0 && isSolid(lastLine + 1));
}

/** Places that also match without blank lines: a moved quote may have lost a blank line. */
function otherPlaces(
  file: FileLines,
  { oldLines }: LineEdit,
  places: readonly LinePlace[],
  { amongComments }: { readonly amongComments: boolean },
): readonly LinePlace[] {
  if (places.length !== 1) return [];
  const solid = oldLines.filter((line) => !isBlank(line));
  const known = new Set(places.flatMap(({ lineOf }) => lineOf));
  const withoutBlanks = file
    .findSolid(solid, PLAIN_WITHOUT_INDENTATION)
    .filter((lines) => !known.has(lines[0] ?? -1))
    .map((lines) => ({ firstLine: lines[0] ?? 0, lastLine: lines.at(-1) ?? 0, lineOf: lines }))
    .filter((place) => isIndentedAlike(file, solid, place));
  if (!amongComments) return withoutBlanks;
  const commented = placeBetweenComments(file, solid);
  const isKnown = commented === undefined || known.has(commented.firstLine) || withoutBlanks.length > 0;
  return isKnown ? withoutBlanks : [commented];
}

export function placeFrom(firstLine: number, count: number): LinePlace {
  return {
    firstLine,
    lastLine: firstLine + count - 1,
    lineOf: Array.from({ length: count }, (_, index) => firstLine + index),
  };
}

/** Whether one rule leads from the quoted indentation to the file's. */
export function isIndentedAlike(file: FileLines, quoted: readonly string[], { lineOf }: LinePlace): boolean {
  const pairs = quoted.flatMap((line, index) => {
    const actual = lineOf[index] ?? -1;
    if (actual === -1 || isBlank(line)) return [];
    return [{ quoted: partsOf(line).indentation, actual: partsOf(file.contentOf(actual)).indentation }];
  });
  return learnIndentation(pairs) !== undefined;
}

/** A line that a model may leave out because it says nothing to a machine. */
export const COMMENT = /^\s*(?:\/\/|\/?\*|#|--|;|%|<!--|"""|''')/;

/** More lines are not compared. The quote is taken as ambiguous then. */
const MAX_COMPARED = 200_000;

/** The first place that has the lines exactly as quoted, but with comments between them, or one other line, that the quote left out. */
export function placeBetweenComments(file: FileLines, solid: readonly string[]): LinePlace | undefined {
  let compared = 0;
  for (const firstLine of file.find(solid.slice(0, 1), WITHOUT_TRAILING_SPACE)) {
    const lineOf = [firstLine];
    let line = firstLine + 1;
    let skipped = 0;
    while (lineOf.length < solid.length && line < file.count && compared++ < MAX_COMPARED) {
      const text = file.contentOf(line);
      if (text.trimEnd() === solid[lineOf.length]?.trimEnd()) lineOf.push(line);
      else if (!isBlank(text) && !COMMENT.test(text) && ++skipped > 1) break;
      line++;
    }
    if (lineOf.length === solid.length || compared >= MAX_COMPARED) return { firstLine, lastLine: line - 1, lineOf };
  }
  return undefined;
}
