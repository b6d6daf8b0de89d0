import { areNumbered, NUMBER, numberOf } from '../lineNumbers';
import { PLAIN_WITHOUT_INDENTATION, WHOLE_LINE, WITHOUT_TRAILING_SPACE, type FileLines } from '../fileLines';
import { matchSolidLines } from './blankLines';
import { isBlank, trimBlankEnds } from '../lineEnds';
import { NONE, toLineEdit, type LineEdit, type MatchResult, type TextEdit } from './matcher';
import { matchWholeLines } from './wholeLines';

/** Matches although the model added a code fence or line numbers to the quote. */
export function matchWrapping(file: FileLines, edit: TextEdit): MatchResult {
  const lines = toLineEdit(edit);
  const unfenced = withoutFence(lines);
  const all = [...(unfenced ? [unfenced, ...withoutNumbers(unfenced)] : []), ...withoutNumbers(lines)];
  for (const match of MATCHERS) {
    const results = all.map((unwrapped) => match(file, unwrapped)).filter(({ kind }) => kind !== 'none');
    const [result, other] = results;
    if (!result) continue;
    if (result.kind !== 'found') return result;
    const { start, end, text } = result.replacement;
    if (isFencedInFile(file, lines, start)) return NONE;
    if (other && !(other.kind === 'found' && other.replacement.text === text)) {
      const firstLine = file.lineAt(start);
      return { kind: 'unclear', firstLine, lastLine: Math.max(firstLine, file.lineAt(Math.max(0, end - 1))) };
    }
    return result;
  }
  return NONE;
}

const MATCHERS: readonly ((file: FileLines, edit: LineEdit) => MatchResult)[] = [
  ...[WHOLE_LINE, WITHOUT_TRAILING_SPACE, PLAIN_WITHOUT_INDENTATION].map(
    (key) => (file: FileLines, edit: LineEdit) => matchWholeLines(file, edit, key),
  ),
  matchSolidLines,
];

/** Whether the fence is in the file. Then it belongs to the quote, which has another mistake. */
function isFencedInFile(file: FileLines, { oldLines }: LineEdit, start: number): boolean {
  let line = file.lineAt(start);
  while (line > 0 && isBlank(file.contentOf(line - 1))) line--;
  const fence = trimBlankEnds(oldLines)[0]?.trim() ?? '';
  return line > 0 && FENCE.test(fence) && file.contentOf(line - 1).trim() === fence;
}

const FENCE = /^\s*(`{3,}|~{3,})[\w+#.:-]*\s*$/;

function withoutFence({ oldLines, newLines }: LineEdit): LineEdit | undefined {
  const old = trimBlankEnds(oldLines);
  if (!isFenced(old) || old.length < 3) return undefined;
  const fresh = trimBlankEnds(newLines);
  const isFreeOfFences = (lines: readonly string[]): boolean => lines.every((line) => !/^\s*(?:`{3}|~{3})/.test(line));
  if (!isFenced(fresh)) return isFreeOfFences(newLines) ? { oldLines: old.slice(1, -1), newLines } : undefined;
  // The edit changes the fence, so it is part of the text.
  if (fresh[0]?.trim() !== old[0]?.trim()) return undefined;
  return { oldLines: old.slice(1, -1), newLines: fresh.slice(1, -1) };
}

function isFenced(lines: readonly string[]): boolean {
  const fence = FENCE.exec(lines[0] ?? '')?.[1];
  return fence !== undefined && lines.length >= 2 && lines.at(-1)?.trim() === fence;
}

/** The edit without line numbers: once without the space after them, once with it. */
function withoutNumbers({ oldLines, newLines, isNewUnfinished }: LineEdit): readonly LineEdit[] {
  if (!areNumbered(oldLines)) return [];
  const numbered = oldLines.filter((line) => !isBlank(line));
  // After a tab or an arrow, the line itself begins.
  const hasSpace = numbered.every(
    (line) => !/^\s*\w*[\t→]/.test(line) && / |^$/.test(line.replace(NUMBER, '').slice(0, 1)),
  );
  const numbers = numbered.map(numberOf);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  // If some new lines have no numbers, a number may be part of the text.
  const isEveryNewNumbered = newLines.every((line) => isBlank(line) || !Number.isNaN(numberOf(line)));
  const isNumbered = (line: string): boolean => {
    const number = numberOf(line);
    return isEveryNewNumbered || (number >= first && number <= last + newLines.length);
  };
  const strip = (line: string, width: number): string => {
    const rest = line.replace(NUMBER, '');
    return rest.length < line.length && rest.startsWith(' '.repeat(width)) ? rest.slice(width) : rest;
  };
  return (hasSpace ? [1, 0] : [0]).map((width) => ({
    oldLines: oldLines.map((line) => strip(line, width)),
    newLines: newLines.map((line) => (isNumbered(line) ? strip(line, width) : line)),
    isNewUnfinished,
  }));
}
