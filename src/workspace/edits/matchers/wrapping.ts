import { PLAIN_WITHOUT_INDENTATION, WHOLE_LINE, WITHOUT_TRAILING_SPACE, type FileLines } from '../fileLines';
import { isBlank, linesOf } from '../lineEnds';
import { NUMBER } from '../lineNumbers';
import { findAddedMarks } from '../addedMarks/findAddedMarks';
import { isDiffHeader } from '../unwrapping/diffSigns';
import { unwrapped } from '../unwrapping/unwrap';
import { matchSolidLines } from './blankLines';
import { toLineEdit, type LineEdit } from './lineEdit';
import { NONE, type MatchResult, type Replacement } from './matcher';
import type { TextEdit } from '../textEdit';
import { matchWholeLines } from './wholeLines';

/** Matches although the model wrote marks around the texts or before their lines, such as a code fence or line numbers. */
export function matchWrapping(file: FileLines, edit: TextEdit): MatchResult {
  const readings = withoutMissedBlanks(file, unwrapped(edit)).map((one) => ({
    one,
    lines: { ...toLineEdit(one), isDelimited: one.newText !== edit.newText },
  }));
  for (const match of MATCHERS) {
    const results = readings
      .map(({ one, lines }) => ({ one, result: match(file, lines) }))
      .filter(({ result }) => result.kind !== 'none');
    const [first, ...others] = results;
    if (!first) continue;
    const { one, result } = first;
    if (result.kind !== 'found') return result;
    const { start, end } = result.replacement;
    if (isWrappedInFile(file, edit, one, start)) return NONE;
    const isOne = others.every(
      (other) => other.result.kind === 'found' && isSame(file, result.replacement, other.result.replacement),
    );
    if (!isOne || findAddedMarks(file, one) !== undefined) {
      const firstLine = file.lineAt(start);
      return { kind: 'unclear', firstLine, lastLine: Math.max(firstLine, file.lineAt(Math.max(0, end - 1))) };
    }
    return result;
  }
  return NONE;
}

/**
 * A newline behind a tag may be a blank line of the file, or belong to the tag. Leaves out readings with blank lines at the ends
 * that the file does not have, where it has all lines of another reading that differs in nothing else.
 */
function withoutMissedBlanks(file: FileLines, edits: readonly TextEdit[]): readonly TextEdit[] {
  const wholes = edits.map(({ oldText }) => {
    const lines = linesOf(oldText);
    return lines.length > 0 && file.find(lines, WHOLE_LINE).length > 0;
  });
  const isSameButEnds = (a: TextEdit, b: TextEdit): boolean =>
    a.oldText.trim() === b.oldText.trim() && a.newText.trim() === b.newText.trim();
  return edits.filter(
    (edit, index) => wholes[index] || !edits.some((other, at) => wholes[at] && isSameButEnds(edit, other)),
  );
}

const MATCHERS: readonly ((file: FileLines, edit: LineEdit) => MatchResult)[] = [
  ...[WHOLE_LINE, WITHOUT_TRAILING_SPACE, PLAIN_WITHOUT_INDENTATION].map(
    (key) => (file: FileLines, edit: LineEdit) => matchWholeLines(file, edit, key),
  ),
  matchSolidLines,
];

/** Whether two replacements make the same text. */
function isSame(file: FileLines, a: Replacement, b: Replacement): boolean {
  const [start, end] = [Math.min(a.start, b.start), Math.max(a.end, b.end)];
  const textOf = (one: Replacement): string =>
    file.text.slice(start, one.start) + one.text + file.text.slice(one.end, end);
  return textOf(a) === textOf(b);
}

/** Whether the first line of the wrapping is in the file. Then it belongs to the quote, which has another mistake. */
function isWrappedInFile(file: FileLines, edit: TextEdit, read: TextEdit, start: number): boolean {
  let line = file.lineAt(start);
  while (line > 0 && isBlank(file.contentOf(line - 1))) line--;
  const [quoted, left] = [edit, read].map(({ oldText }) => linesOf(oldText).filter((one) => !isBlank(one))) as [
    string[],
    string[],
  ];
  const first = quoted[0]?.trim();
  if (line === 0 || first === undefined) return false;
  const before = file.contentOf(line - 1).trim();
  // Numbers may stand before the lines as well.
  const bare = first.replace(NUMBER, '').trim();
  return (
    before === first ||
    (before === bare && left.length < quoted.length) ||
    (isDiffHeader(before) && isDiffHeader(first))
  );
}
