/** How much white space is held back before it is text like any other: some models end in writing nothing else. */
export const MAX_SPACE = 1_000;

/** Whether a text begins with more white space than is held back. */
export function beginsBlank(text: string): boolean {
  return text.length > MAX_SPACE && text.slice(0, MAX_SPACE + 1).trim() === '';
}
