const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The normalised link when it may be opened; `undefined` for other schemes and invalid addresses. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  // A name before the host can make an address look like another one.
  if (!schemes.has(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return url.href;
}
