/**
 * At most about `maxCharacters` of a text: its beginning, its end, and between them a note with the number of characters
 * that are missing. A shorter text comes back as it is.
 */
export function cutMiddle(text: string, maxCharacters: number, note: (left: number) => string): string {
  if (text.length <= maxCharacters) return text;
  const head = text.slice(0, Math.ceil(maxCharacters * 0.7));
  const tail = text.slice(text.length - Math.floor(maxCharacters * 0.3));
  return `${head}\n${note(text.length - head.length - tail.length)}\n${tail}`.toWellFormed();
}
