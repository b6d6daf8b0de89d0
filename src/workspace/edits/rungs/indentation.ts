import type { FileLines, LineKey } from '../fileLines';
import { toPlain } from '../typography';
import { toLineEdit, type RungResult, type TextEdit } from './rung';
import { matchWholeLines } from './wholeLines';

export const PLAIN_WITHOUT_INDENTATION: LineKey = { name: 'plain-trimmed', of: (line) => toPlain(line.trim()) };

/** Whole lines that the model moved as a block, or wrote with spaces for tabs or the reverse. */
export function matchIndentation(file: FileLines, edit: TextEdit): RungResult {
  return matchWholeLines(file, toLineEdit(edit), PLAIN_WITHOUT_INDENTATION);
}
