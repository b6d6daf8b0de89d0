/** The target of a link in an answer. The host checks it again before it opens it. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number | undefined };

const schemePattern = /^([a-z][a-z0-9+.-]+):/i;
const webSchemes = ['http', 'https', 'mailto'];

/** Returns `undefined` unless the link is a web address or a path: not for scripts, data, commands, anchors. */
export function linkTarget(href: string): LinkTarget | undefined {
  // Browsers drop these characters from a URL, so `java\nscript:` would be a script.
  // oxlint-disable-next-line no-control-regex
  const clean = href.replaceAll(/[\u0000-\u0020\u007F]/g, (character) => (character === ' ' ? ' ' : '')).trim();
  const scheme = schemePattern.exec(clean)?.[1]?.toLowerCase();
  if (scheme !== undefined && webSchemes.includes(scheme)) return { kind: 'web', href: clean };
  if (scheme === 'file') return fileTarget(clean.replace(/^file:(\/\/[^/]*)?/i, ''));
  // `main.ts:12` looks like a scheme.
  if (scheme !== undefined && !/^[\w.-]+\.\w+:\d/.test(clean)) return undefined;
  if (clean === '' || clean.startsWith('#') || clean.startsWith('//') || clean.startsWith('?')) return undefined;
  return fileTarget(clean);
}

function fileTarget(reference: string): LinkTarget | undefined {
  const match = /^(.*?)(?:#L(\d+)(?:-L?\d+)?|:(\d+)(?::\d+|-\d+)?)?$/.exec(reference);
  const path = decoded(match?.[1] ?? '').replace(/#.*$/, '');
  if (path === '') return undefined;
  const line = Number(match?.[2] ?? match?.[3]);
  return Number.isSafeInteger(line) && line > 0 ? { kind: 'file', path, line } : { kind: 'file', path };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return path;
  }
}

/** The address for people. A host name with letters beyond a to z is added as browsers look it up (`xn--…`). */
export function shownAddress(href: string): string {
  const host = URL.canParse(href) ? new URL(href).hostname : '';
  return host.includes('xn--') && !href.includes(host) ? `${href} (${host})` : href;
}
