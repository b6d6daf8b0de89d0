import { PLAIN_WITHOUT_INDENTATION, type FileLines } from '../fileLines';
import { isBlank } from '../lineEnds';
import { toLineEdit, type LineEdit } from './lineEdit';
import { isIndentedAlike, type LinePlace } from './linePlace';
import { NONE, replaceOnly, type MatchResult } from './matcher';
import type { TextEdit } from '../textEdit';
import { placeBetweenComments } from './otherPlaces';

/** Matches lines although blank lines are missing or added between them. */
export function matchBlankLines(file: FileLines, edit: TextEdit): MatchResult {
  const lines = toLineEdit(edit);
  return matchSolidLines(
    file,
    isSpread(lines.oldLines) && isSpread(lines.newLines) ? withoutSpread(file, lines) : lines,
  );
}

const MIN_SPREAD = 3;

/** Whether there is one blank line between all lines, as a model writes that takes each line for a paragraph. */
function isSpread(lines: readonly string[]): boolean {
  return lines.length >= 2 * MIN_SPREAD - 1 && lines.every((line, index) => isBlank(line) === (index % 2 === 1));
}

/** Takes the blank lines out of both texts, if the file has none between the lines. */
function withoutSpread(file: FileLines, edit: LineEdit): LineEdit {
  const solid = (lines: readonly string[]): readonly string[] => lines.filter((line) => !isBlank(line));
  const [oldLines, newLines] = [solid(edit.oldLines), solid(edit.newLines)];
  const places = file.findSolid(oldLines, PLAIN_WITHOUT_INDENTATION);
  const isTight = places.every((lines) => (lines.at(-1) ?? 0) - (lines[0] ?? 0) === oldLines.length - 1);
  return isTight ? { ...edit, oldLines, newLines } : edit;
}

export function matchSolidLines(file: FileLines, edit: LineEdit): MatchResult {
  const solid = edit.oldLines.filter((line) => !isBlank(line));
  if (solid.length === 0) return NONE;
  const all = file.findSolid(solid, PLAIN_WITHOUT_INDENTATION).map((lines) => placeOf(file, edit.oldLines, lines));
  const places = all.filter((place) => isIndentedAlike(file, edit.oldLines, place));
  // A place with the quoted blank lines but another indentation may also be meant.
  const others = all.filter((place) => !places.includes(place) && isGapless(place));
  if (places.every(isGapless)) return replaceOnly(file, edit, places);
  // The quote may have lost comments instead, at another place.
  const known = new Set(all.map(({ firstLine }) => firstLine));
  const commented = placeBetweenComments(file, solid, { known });
  return replaceOnly(file, edit, [...places, ...others, ...(commented === undefined ? [] : [commented])]);
}

/** The file has exactly the quoted blank lines at this place. */
function isGapless({ firstLine, lineOf }: LinePlace): boolean {
  return lineOf.every((line, index) => line === firstLine + index);
}

/**
 * Assigns each quoted line a line of the file. `solidLines` are the lines for the quoted lines that are not blank.
 * Quoted blank lines get the file's blank lines at the same place, if any.
 */
export function placeOf(file: FileLines, quoted: readonly string[], solidLines: readonly number[]): LinePlace {
  const lineOf: number[] = [];
  let next = 0;
  let free = solidLines[0] ?? 0;
  while (
    isBlankLine(file, free - 1) &&
    isBlank(quoted[0] ?? '') &&
    (solidLines[0] as number) - free < leadingBlanks(quoted)
  )
    free--;
  for (const line of quoted) {
    if (!isBlank(line)) {
      const at = solidLines[next++] as number;
      lineOf.push(at);
      free = at + 1;
    } else if (isBlankLine(file, free)) lineOf.push(free++);
    else lineOf.push(-1);
  }
  const known = lineOf.filter((line) => line !== -1);
  return { firstLine: known[0] ?? 0, lastLine: known.at(-1) ?? 0, lineOf };
}

function leadingBlanks(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? lines.length : first;
}

function isBlankLine(file: FileLines, line: number): boolean {
  return line >= 0 && line < file.count && isBlank(file.contentOf(line));
}
