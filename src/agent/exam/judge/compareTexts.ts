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

/** The whole numbers of a text, without marks between thousands. */
export function numbersIn(text: string): readonly string[] {
  return text.replaceAll(/(\d)[,.' ](?=\d{3}\b)/g, '$1').match(/\d+/g) ?? [];
}
