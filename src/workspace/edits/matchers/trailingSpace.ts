import { WITHOUT_TRAILING_SPACE, type FileLines } from '../fileLines';
import { toLineEdit } from './lineEdit';
import type { MatchResult } from './matcher';
import type { TextEdit } from '../textEdit';
import { matchWholeLines } from './wholeLines';

/** Matches whole lines and ignores spaces at their end. */
export function matchTrailingSpace(file: FileLines, edit: TextEdit): MatchResult {
  return matchWholeLines(file, toLineEdit(edit), WITHOUT_TRAILING_SPACE);
}
