import { areNumbered, NUMBER, numberOf } from '../lineNumbers';
import { isBlank } from '../lineEnds';
import type { TextEdit } from '../textEdit';

/** Without the number before each line: once without the space after it, once with it. */
export function withoutNumbers({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const [oldLines, newLines] = [oldText.split(/\r?\n/), newText.split(/\r?\n/)];
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
    oldText: oldLines.map((line) => strip(line, width)).join('\n'),
    newText: newLines.map((line) => (isNumbered(line) ? strip(line, width) : line)).join('\n'),
  }));
}
