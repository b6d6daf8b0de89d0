import type { FileLines } from './fileLines';

/** `12: `, `12|`, `  12→`, `L12: `, `12<tab>`; the space behind it may belong to the line. */
export const NUMBER = /^[ \t]*(?:[Ll](?:ine )?)?(\d{1,6})(?: *[|│→]|:|-(?= )|\t|[ \t]*$)/;

export function numberOf(line: string): number {
  return Number(NUMBER.exec(line)?.[1] ?? Number.NaN);
}

/** Numbers that count up by one are no accident; one number alone may be part of the text, so it needs a clear mark. */
export function areNumbered(lines: readonly string[]): boolean {
  const solid = lines.filter((line) => line.trim() !== '');
  const numbers = solid.map(numberOf);
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return false;
  if (numbers.length === 1) return /^[ \t]*(?:[Ll](?:ine )?)?\d{1,6}(?:[ \t]*[|│→]|: |\t)/.test(solid[0] ?? '');
  return numbers.every((number, index) => {
    const previous = numbers[index - 1];
    return previous === undefined || (number > previous && number - previous <= lines.length);
  });
}

/**
 * A line of a new text that has the number of its line in front, as `read_file` shows it: when all lines do, and one of
 * them is in the file, without the number and at that number. `undefined` for none.
 */
export function findNumberedLine(file: FileLines | undefined, newText: string): string | undefined {
  const lines = newText.split(/\r?\n/);
  if (!file || !/\d/.test(lines[0] ?? '') || !areNumbered(lines)) return undefined;
  return lines.find((line) => {
    const content = line.replace(NUMBER, '').trim();
    return content !== '' && file.contentOf(numberOf(line) - 1).trim() === content;
  });
}
