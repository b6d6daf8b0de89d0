import { WITHOUT_TRAILING_SPACE, type FileLines } from '../fileLines';
import { toLineEdit, type RungResult, type TextEdit } from './rung';
import { matchWholeLines } from './wholeLines';

/** Matches whole lines and ignores spaces at their end. */
export function matchTrailingSpace(file: FileLines, edit: TextEdit): RungResult {
  return matchWholeLines(file, toLineEdit(edit), WITHOUT_TRAILING_SPACE);
}
