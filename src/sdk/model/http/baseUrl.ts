import * as l10n from '../../../util/l10n';
import { AgentError } from '../../errors';

/** Default URLs of servers, by short name. */
export const providerUrls = {
  lmstudio: 'http://localhost:1234/v1',
  ollama: 'http://localhost:11434/v1',
  llamacpp: 'http://localhost:8080/v1',
  vllm: 'http://localhost:8000/v1',
} as const;

/** The default URL for a short name; any other value unchanged. */
export function expandProviderName(baseUrl: string): string {
  const trimmed = baseUrl.trim();
  const name = trimmed.toLowerCase().replace(/[ ._-]/g, '');
  return Object.hasOwn(providerUrls, name) ? providerUrls[name as keyof typeof providerUrls] : trimmed;
}

/**
 * The base URL of requests, without a trailing slash: `http://127.0.0.1:8080/v1`. Accepts it with or without `/v1` or
 * a trailing slash, the full endpoint, a host and port without a scheme, or a short name such as `ollama`. Keeps other paths (`/llama`, `/api/v3`).
 * Normalising twice changes nothing. Throws `invalid_options` that names the value.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const expanded = expandProviderName(baseUrl);
  // Errors name the value as it was given.
  const url = parseUrl(expanded === baseUrl.trim() ? baseUrl : expanded);
  url.hostname = WILDCARD_HOSTS.get(url.hostname) ?? url.hostname;
  const path = url.pathname
    .replace(/\/{2,}/g, '/')
    .replace(ENDPOINT, '')
    .replace(/\/$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/** The origin that a key belongs to: scheme, host and port. Throws as `normalizeBaseUrl` does. */
export function originOf(baseUrl: string): string {
  return new URL(normalizeBaseUrl(baseUrl)).origin;
}

/** Endpoint paths that are not part of the base URL. The last three are Ollama's own API. */
const ENDPOINT =
  /\/(?:chat\/completions|completions|responses|embeddings|models|api\/chat|api\/generate|api\/tags)\/?$/;

/** Listening addresses, to which clients cannot connect everywhere. */
const WILDCARD_HOSTS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

function parseUrl(value: string): URL {
  const trimmed = value.trim();
  // With one slash, `http:/host`, it is a URL to browsers and Node.
  const hasScheme = /^(?:[a-z][a-z0-9+.-]*:\/\/|https?:\/)/i.test(trimmed);
  const withScheme = hasScheme ? trimmed : `http://${trimmed}`;
  const url = trimmed === '' || !URL.canParse(withScheme) ? undefined : new URL(withScheme);
  if (!url || url.hostname === '') {
    throw invalid(l10n.t('"{0}" is not the URL of a model server. It looks like http://localhost:8080/v1.', value));
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(
      l10n.t('The model server\'s URL must begin with http:// or https://, not {0}// ("{1}").', url.protocol, value),
    );
  }
  if (url.username !== '' || url.password !== '') {
    // Does not repeat the value, because it holds a secret.
    throw invalid(
      l10n.t('The URL of the model server at {0} must not contain a user name or password. Set an API key.', url.host),
    );
  }
  return url;
}

function invalid(message: string): AgentError {
  return new AgentError({ code: 'invalid_options', message });
}
