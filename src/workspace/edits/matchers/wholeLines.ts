import { PLAIN_WITHOUT_INDENTATION, type FileLines, type LineKey } from '../fileLines';
import { isBlank } from '../lineEnds';
import type { LineEdit } from './lineEdit';
import { isIndentedAlike, placeFrom } from './linePlace';
import { replaceOnly, type MatchResult } from './matcher';
import { otherPlaces } from './otherPlaces';

/** Matches whole lines that are equal by a key and whose indentation follows one rule. */
export function matchWholeLines(file: FileLines, edit: LineEdit, key: LineKey): MatchResult {
  if (edit.oldLines.every(isBlank)) return { kind: 'none' };
  const all = file.find(edit.oldLines, key).map((firstLine) => placeFrom(firstLine, edit.oldLines.length));
  const places = all.filter((place) => isIndentedAlike(file, edit.oldLines, place));
  const isMoved = key.name === PLAIN_WITHOUT_INDENTATION.name;
  return replaceOnly(file, edit, [...places, ...otherPlaces(file, edit, { all, places, isMoved })]);
}
