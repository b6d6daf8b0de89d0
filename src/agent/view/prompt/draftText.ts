/** A draft with a text at its end, between blanks, as the panel and the host both keep it. Unchanged if it ends so already. */
export function withAddedText(draft: string, text: string): string {
  if (draft.trimEnd().endsWith(text)) return draft;
  return `${draft}${draft === '' || /\s$/.test(draft) ? '' : ' '}${text} `;
}
