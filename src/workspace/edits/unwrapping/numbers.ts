import { areNumbered, NUMBER, numberOf, withoutListNumbers } from '../lineNumbers';
import { isBlank, linesOf, textOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';

/** Without the number before each line: once without the space after it, once with it. */
export function withoutNumbers({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const [oldLines, newLines] = [oldText.split(/\r?\n/), newText.split(/\r?\n/)];
  if (!areNumbered(oldLines)) return withoutList({ oldText, newText });
  const numbered = oldLines.filter((line) => !isBlank(line));
  // After a tab or an arrow, the line itself begins.
  const hasSpace = numbered.every(
    (line) => !/^\s*\w*[\t→]/.test(line) && / |^$/.test(line.replace(NUMBER, '').slice(0, 1)),
  );
  const numbers = numbered.map(numberOf);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const marks = new Set(numbered.map(markOf));
  const isNumbered = (line: string): boolean => {
    const number = numberOf(line);
    return number >= first && number <= last + newLines.length && marks.has(markOf(line));
  };
  const solid = newLines.filter((line) => !isBlank(line));
  const known = new Set(numbered);
  // If some new lines have no numbers, a number may be part of the text.
  if (!solid.every(isNumbered) && solid.some((line) => isNumbered(line) && !known.has(line))) return [];
  const strip = (line: string, width: number): string => {
    const rest = line.replace(NUMBER, '');
    return rest.length < line.length && rest.startsWith(' '.repeat(width)) ? rest.slice(width) : rest;
  };
  return (hasSpace ? [1, 0] : [0]).map((width) => {
    const old = oldLines.map((line) => strip(line, width));
    const fresh = newLines.map((line) => (isNumbered(line) ? strip(line, width) : line));
    // A number alone at the end is a blank line of the file. Without a newline after it, it would be a line end.
    const endsInNumber = isNumberAlone(oldLines, old) || isNumberAlone(newLines, fresh);
    const join = (lines: readonly string[], given: readonly string[]): string =>
      lines.join('\n') + (endsInNumber && !isBlank(given.at(-1) ?? '') ? '\n' : '');
    return { oldText: join(old, oldLines), newText: join(fresh, newLines) };
  });
}

/** Whether the last line has nothing but blanks after its number. */
function isNumberAlone(given: readonly string[], stripped: readonly string[]): boolean {
  return !isBlank(given.at(-1) ?? '') && isBlank(stripped.at(-1) ?? '');
}

/** What stands after the number of a line, without blanks. */
function markOf(line: string): string {
  return (NUMBER.exec(line)?.[0] ?? '').replace(/^\s*\w*/, '').trim();
}

/** Without the numbers of a list. A new text of which only the first lines have such numbers is unclear. */
function withoutList({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const [old, fresh] = [linesOf(oldText), linesOf(newText)];
  const oldList = withoutListNumbers(old);
  if (!oldList) return [];
  const oldBody = textOf(oldList.lines);
  const newList = withoutListNumbers(fresh);
  // The file may have numbers of its own, with which the new text keeps its lines.
  const known = new Set(oldList.lines);
  const countKept = (lines: readonly string[]): number => lines.filter((line) => known.has(line)).length;
  if (newList && countKept(fresh) > countKept(newList.lines)) return [{ oldText: oldBody, newText }];
  // Other numbers than those of the quote are text: `1.2.3` behind `1. 1.2.2`.
  if (newList && newList.isClose === oldList.isClose) return [{ oldText: oldBody, newText: textOf(newList.lines) }];
  const isPartOfList = fresh[0] !== undefined && withoutListNumbers([fresh[0]])?.isClose === oldList.isClose;
  return isPartOfList ? [] : [{ oldText: oldBody, newText }];
}
