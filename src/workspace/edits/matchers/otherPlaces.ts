import { PLAIN_WITHOUT_INDENTATION, WITHOUT_TRAILING_SPACE, type FileLines } from '../fileLines';
import { isBlank } from '../lineEnds';
import type { LineEdit } from './lineEdit';
import { isIndentedAlike, placeFrom, type LinePlace } from './linePlace';

/**
 * Places that a quote may mean as well as those that fit it (`places`), so that it is ambiguous. `all` are those with the same
 * lines at any depth. `isMoved`: the quote has another indentation than the file.
 */
export function otherPlaces(
  file: FileLines,
  edit: LineEdit,
  {
    all,
    places,
    isMoved,
  }: { readonly all: readonly LinePlace[]; readonly places: readonly LinePlace[]; readonly isMoved: boolean },
): readonly LinePlace[] {
  if (places.length === 0) return [];
  const isDoubtful = isMoved || places.some((place) => lacksBlankLine(file, edit, place));
  const alike = isDoubtful ? withoutBlankLines(file, edit, places, { amongComments: isMoved }) : [];
  const isComplete = places.every((place) => hasBlankEdges(file, edit, place));
  if (isComplete) return [...alike, ...(edit.newLines.length > 1 ? alreadyChanged(file, edit, places) : [])];
  // The blank lines at the ends are missing. A place that has them may be meant, with another indentation.
  const complete = all.filter((place) => !places.includes(place) && hasBlankEdges(file, edit, place));
  return [...alike, ...complete, ...alreadyChanged(file, edit, places)];
}

/** Places that also match without blank lines: a moved quote may have lost a blank line. */
function withoutBlankLines(
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
  if (withoutBlanks.length > 0) return withoutBlanks;
  const commented = placeBetweenComments(file, solid, { known });
  return commented === undefined ? [] : [commented];
}

/** Whether the quote begins or ends with a blank line that the file does not have there. It may have lost another one. */
function lacksBlankLine(file: FileLines, { before, after }: LineEdit, { firstLine, lastLine }: LinePlace): boolean {
  const isSolid = (line: number): boolean => line >= 0 && line < file.count && !isBlank(file.contentOf(line));
  return (before.old.length > 0 && isSolid(firstLine - 1)) || (after.old.length > 0 && isSolid(lastLine + 1));
}

/** Whether the file has all blank lines with which the quote begins and ends. */
function hasBlankEdges(file: FileLines, { before, after }: LineEdit, { firstLine, lastLine }: LinePlace): boolean {
  const isBlankLine = (line: number): boolean => line >= 0 && line < file.count && isBlank(file.contentOf(line));
  return (
    before.old.every((_, index) => isBlankLine(firstLine - 1 - index)) &&
    after.old.every((_, index) => isBlankLine(lastLine + 1 + index))
  );
}

/**
 * Other places that have the new lines already, as many as are quoted. The quote may mean these places, with parts of lines
 * left out.
 */
function alreadyChanged(file: FileLines, edit: LineEdit, places: readonly LinePlace[]): readonly LinePlace[] {
  // One line alone may stand elsewhere by chance.
  const newLines = edit.newLines.slice(0, Math.max(2, edit.oldLines.length));
  if (newLines.every(isBlank)) return [];
  return file
    .find(newLines, WITHOUT_TRAILING_SPACE)
    .map((firstLine) => placeFrom(firstLine, newLines.length))
    .filter((one) => places.every((place) => one.firstLine > place.lastLine || one.lastLine < place.firstLine));
}

/** A line that a model may leave out because it says nothing to a machine. */
export const COMMENT = /^\s*(?:\/\/|\/?\*|#|--|;|%|<!--|"""|''')/;

/** More lines are not compared. The quote is taken as ambiguous then. */
const MAX_COMPARED = 200_000;

/**
 * The first place that has the lines exactly as quoted, but with comments between them, or one other line, that the quote left
 * out. `known`: the first lines of places that are known already.
 */
export function placeBetweenComments(
  file: FileLines,
  solid: readonly string[],
  { known }: { readonly known: ReadonlySet<number> },
): LinePlace | undefined {
  let compared = 0;
  for (const firstLine of file.find(solid.slice(0, 1), WITHOUT_TRAILING_SPACE)) {
    if (known.has(firstLine)) continue;
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
