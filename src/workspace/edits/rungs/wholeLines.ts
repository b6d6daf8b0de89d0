import type { FileLines, LineKey } from '../fileLines';
import { learnIndentation, partsOf } from '../indentation';
import { isBlank, replaceOnly, type LineEdit, type LinePlace, type RungResult } from './rung';

/** Whole lines that are equal by a key, one after the other, indented all in the same way. */
export function matchWholeLines(file: FileLines, edit: LineEdit, key: LineKey): RungResult {
  if (edit.oldLines.every(isBlank)) return { kind: 'none' };
  const places = file
    .find(edit.oldLines, key)
    .map((firstLine) => placeFrom(firstLine, edit.oldLines.length))
    .filter((place) => isIndentedAlike(file, edit.oldLines, place));
  return replaceOnly(file, edit, places);
}

function placeFrom(firstLine: number, count: number): LinePlace {
  return {
    firstLine,
    lastLine: firstLine + count - 1,
    lineOf: Array.from({ length: count }, (_, index) => firstLine + index),
  };
}

/** Whether the file's indentation follows from the quoted one by one rule. */
export function isIndentedAlike(file: FileLines, quoted: readonly string[], { lineOf }: LinePlace): boolean {
  const pairs = quoted.flatMap((line, index) => {
    const actual = lineOf[index] ?? -1;
    if (actual === -1 || isBlank(line)) return [];
    return [{ quoted: partsOf(line).indentation, actual: partsOf(file.contentOf(actual)).indentation }];
  });
  return learnIndentation(pairs) !== undefined;
}
