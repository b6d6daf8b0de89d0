/** Equal lines. White space counts only where it decides: at the start of a line of Python. */
export function isSameText(one: string, other: string, name: string): boolean {
  const hasMeaning = name.endsWith('.py');
  const lines = (text: string): string =>
    text
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => (hasMeaning ? line.trimEnd() : line.trim().replace(/\s+/g, ' ')))
      .filter((line) => line !== '')
      .join('\n');
  return lines(one) === lines(other);
}

/** A calculation in steps has this many numbers, and a list of guesses has more. */
const MAX_NUMBERS = 16;

/** Whether a short text names this whole number as its first or last one. Marks between thousands do not count. */
export function namesNumber(text: string, wanted: string): boolean {
  const numbers = text.replaceAll(/(\d)[,.' ](?=\d{3}\b)/g, '$1').match(/\d+/g) ?? [];
  return numbers.length <= MAX_NUMBERS && [numbers[0], numbers.at(-1)].includes(wanted);
}
