import { PLAIN_WITHOUT_INDENTATION, type FileLines } from '../fileLines';
import { toLineEdit, type RungResult, type TextEdit } from './rung';
import { matchWholeLines } from './wholeLines';

/** Matches whole lines that the model moved as a block, or wrote with spaces for tabs or the reverse. */
export function matchIndentation(file: FileLines, edit: TextEdit): RungResult {
  return matchWholeLines(file, toLineEdit(edit), PLAIN_WITHOUT_INDENTATION);
}
