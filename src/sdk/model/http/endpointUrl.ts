import { AgentError } from '../../errors';

/**
 * The base URL requests are made to, without a trailing slash: `http://127.0.0.1:8080/v1`.
 * Takes what people paste: with or without `/v1`, with a trailing slash, the full endpoint, a host and port without a
 * scheme. A path of one's own (`/llama`, `/api/v3`) is kept as it is. Normalising twice changes nothing.
 * Throws `invalid_options`, naming the value.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  url.hostname = WILDCARD_HOSTS.get(url.hostname) ?? url.hostname;
  const path = url.pathname
    .replace(/\/{2,}/g, '/')
    .replace(ENDPOINT, '')
    .replace(/\/$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/** Scheme, host and port: what a key belongs to. Throws `invalid_options` like `normalizeBaseUrl`. */
export function originOf(baseUrl: string): string {
  return new URL(normalizeBaseUrl(baseUrl)).origin;
}

/** The end of a pasted endpoint that is not part of the base URL; the last three are Ollama's own API. */
const ENDPOINT =
  /\/(?:chat\/completions|completions|responses|embeddings|models|api\/chat|api\/generate|api\/tags)\/?$/;

/** Addresses a server listens on, which are not addresses everywhere one can connect to. */
const WILDCARD_HOSTS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

function parseUrl(value: string): URL {
  const trimmed = value.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const url = trimmed === '' || !URL.canParse(withScheme) ? undefined : new URL(withScheme);
  if (!url || url.hostname === '') {
    throw invalid(`"${value}" is not the URL of a model server. It looks like http://localhost:8080/v1.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(`The model server's URL must begin with http:// or https://, not ${url.protocol}// ("${value}").`);
  }
  if (url.username !== '' || url.password !== '') {
    // The value is not repeated: it holds a secret.
    throw invalid(`The URL of the model server at ${url.host} must not hold a user name or password. Set an API key.`);
  }
  return url;
}

function invalid(message: string): AgentError {
  return new AgentError({ code: 'invalid_options', message });
}
