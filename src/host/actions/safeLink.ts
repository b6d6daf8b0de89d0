const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** A link of a model's that may be opened, normalised; `undefined` for every other scheme and for what is no address. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  // A name before the host is how an address is made to look like another.
  if (!schemes.has(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return url.href;
}
