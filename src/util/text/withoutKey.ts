/**
 * A server's text without the key, which some servers repeat when they reject it. Errors are logged, kept in the history and
 * shown to other extensions. A key may stand in JSON.
 */
export function withoutKey(text: string, key: string): string {
  if (key === '') return text;
  const escaped = JSON.stringify(key).slice(1, -1);
  const spellings = [key, escaped, escaped.replaceAll('/', String.raw`\/`)];
  return spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '[the API key]'), text);
}
