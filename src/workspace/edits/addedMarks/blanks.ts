import { WHOLE_LINE, type FileLines } from '../fileLines';
import { isBlank, linesOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';
import { isSameText } from './sameText';

/** Whether lines that the new text keeps end with blanks that they do not have in the old text. */
export function hasAddedBlanks(file: FileLines, { oldText, newText }: TextEdit): boolean {
  if (!/[ \t]$/m.test(newText) || isSameText(oldText, newText)) return false;
  const { idOf } = file.indexBy(WHOLE_LINE);
  // A line of the file is not written otherwise.
  const known = linesOf(oldText).filter((line) => idOf.has(line));
  const [asWritten, withoutBlanks] = [new Set(known), new Set(known.map((line) => line.trimEnd()))];
  const added = linesOf(newText).filter(
    (line) => line !== line.trimEnd() && withoutBlanks.has(line.trimEnd()) && !asWritten.has(line),
  );
  // A single blank line may be new, and its blanks text.
  return added.some((line) => !isBlank(line)) || (added.length > 0 && !linesOf(newText).includes(''));
}
