import { PLAIN_WITHOUT_INDENTATION, type FileLines } from '../fileLines';
import { toLineEdit } from './lineEdit';
import type { MatchResult } from './matcher';
import type { TextEdit } from '../textEdit';
import { matchWholeLines } from './wholeLines';

/** Matches whole lines that the model moved as a block, or wrote with spaces for tabs or the reverse. */
export function matchIndentation(file: FileLines, edit: TextEdit): MatchResult {
  return matchWholeLines(file, toLineEdit(edit), PLAIN_WITHOUT_INDENTATION);
}
