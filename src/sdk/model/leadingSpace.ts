/** How much white space is held back. More is treated as text, because some models write nothing else. */
export const MAX_SPACE = 1_000;

/** Whether a text begins with more white space than that. */
export function beginsBlank(text: string): boolean {
  return text.length > MAX_SPACE && text.slice(0, MAX_SPACE + 1).trim() === '';
}
