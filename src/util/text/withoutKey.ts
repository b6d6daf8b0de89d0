/**
 * A server's text without the key, which some servers repeat when they reject it. Errors are logged, kept in the history and
 * shown to other extensions. A key may stand in JSON.
 */
export function withoutKey(text: string, key: string): string {
  if (key === '') return text;
  return spellingsOfKey(key).reduce((rest, spelling) => rest.replaceAll(spelling, '[the API key]'), text);
}

/** The key as it can be written, plain and in JSON. */
export function spellingsOfKey(key: string): readonly string[] {
  const escaped = JSON.stringify(key).slice(1, -1);
  return [...new Set([key, escaped, escaped.replaceAll('/', String.raw`\/`)])];
}
