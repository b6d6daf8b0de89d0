import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * A scheme, a host and perhaps a port, in lower case, and nothing else: as programs send it, such as
 * `app://obsidian.md`.
 */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

/** Whether a text is one exact origin. `null` and `*` are none: any page can have them. */
export function isOrigin(text: string): boolean {
  if (!ORIGIN.test(text)) return false;
  const isWeb = /^(?:https?|wss?):/.test(text);
  // A browser never writes the usual port, so an origin with it would never match.
  return !isWeb || (URL.canParse(text) && new URL(text).origin === text);
}

/** Whether a browser asks if a page may send a request. Such a question carries no token. */
export function isPreflight({ method, headers }: { readonly method?: string | undefined } & Headers): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

interface Headers {
  readonly headers: IncomingHttpHeaders;
}

/** The headers that let a page of this allowed origin read an answer. */
export function corsHeaders(origin: string): OutgoingHttpHeaders {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'retry-after', vary: 'Origin' };
}

const MAX_HEADER_NAMES = 40;
const PREFLIGHT_S = '600';

/**
 * The answer to a preflight of an allowed origin, besides `corsHeaders`. The token, not a header, is what lets a
 * request in.
 */
export function preflightHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const asked = String(headers['access-control-request-headers'] ?? '').split(',');
  const names = asked.map((name) => name.trim().toLowerCase()).filter((name) => /^[a-z0-9-]{1,60}$/.test(name));
  return {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': [...new Set(['authorization', 'content-type', ...names])]
      .slice(0, MAX_HEADER_NAMES)
      .join(', '),
    'access-control-max-age': PREFLIGHT_S,
    // Chromium asks before a page reaches an address of this machine.
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  };
}
