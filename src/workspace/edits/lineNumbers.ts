import type { FileLines } from './fileLines';

/** `12: `, `12|`, `  12→`, `L12: `, `12<tab>`. A space after it may belong to the line. */
export const NUMBER = /^[ \t]*(?:[Ll](?:ine )?)?(\d{1,6})(?: *[|│→]|:|-(?= )|\t|[ \t]*$)/;

/** `1. `, as in a list. A blank line may have lost the blank. */
const LIST_NUMBER = /^(\d{1,4})\.(?: |$)/;
/** `1.`, with the text directly behind it. */
const CLOSE_LIST_NUMBER = /^(\d{1,4})\./;

/**
 * The lines without the numbers of a list that counts every line from 1. `undefined` if they are not numbered so.
 * `isClose`: the text begins directly behind the number.
 */
export function withoutListNumbers(
  lines: readonly string[],
): { readonly lines: readonly string[]; readonly isClose: boolean } | undefined {
  for (const [isClose, number] of [
    [false, LIST_NUMBER],
    [true, CLOSE_LIST_NUMBER],
  ] as const) {
    const isList = lines.every((line, index) => Number(number.exec(line)?.[1]) === index + 1);
    if (isList && lines.length > 0) return { lines: lines.map((line) => line.replace(number, '')), isClose };
  }
  return undefined;
}

/** Whether a text begins with a number and a clear mark behind it. A colon may stand directly before the text. */
export function beginsWithNumber(text: string): boolean {
  return CLEAR_NUMBER.test(text);
}

const CLEAR_NUMBER = /^[ \t]*(?:[Ll](?:ine )?)?\d{1,6}(?:[ \t]*[|│→]|:|\t)/;

export function numberOf(line: string): number {
  return Number(NUMBER.exec(line)?.[1] ?? Number.NaN);
}

/** Whether all lines start with ascending line numbers. A single line needs a clear mark after its number. */
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
 * Finds a line of a new text that starts with its line number. All lines must start with a number, and the file must have
 * this line, without the number, at that place, or the first line of the quote. Else `undefined`.
 */
export function findNumberedLine(file: FileLines | undefined, newText: string, oldText = ''): string | undefined {
  const lines = newText.split(/\r?\n/);
  if (!file || !/\d/.test(lines[0] ?? '') || !areNumbered(lines)) return undefined;
  const [quoted = ''] = oldText.split(/\r?\n/);
  return lines.find((line, index) => {
    const content = line.replace(NUMBER, '').trim();
    const known = file.contentOf(numberOf(line) - 1).trim();
    return content !== '' && (known === content || (index === 0 && known !== '' && known === quoted.trim()));
  });
}
