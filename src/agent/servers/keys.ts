import * as l10n from '../../util/l10n';
import { originOf } from '../../sdk/model/http/baseUrl';

/** The store of secrets: VS Code's SecretStorage, or memory. */
export interface Secrets {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

export interface KeyStoreParts {
  readonly secrets: Secrets;
  /** The key of the server that Open Agent runs, if it answers at this origin. It is not kept. Absent: there is no such server. */
  readonly ownKeyAt?: ((origin: string) => string | undefined) | undefined;
}

export type KeyChange = { readonly ok: true } | { readonly ok: false; readonly error: string };

/**
 * API keys, each bound to the origin (scheme, host and port) it was entered for. Other origins never get the key, even after
 * the base URL changes.
 */
export class KeyStore {
  readonly #parts: KeyStoreParts;

  constructor(parts: KeyStoreParts) {
    this.#parts = parts;
  }

  /** The key for the server at `baseUrl`; `undefined` when there is none or the URL is invalid. */
  async get(baseUrl: string): Promise<string | undefined> {
    const name = secretName(baseUrl);
    if (name === undefined) return undefined;
    return this.#parts.ownKeyAt?.(originOf(baseUrl)) ?? this.#parts.secrets.get(name);
  }

  /** Keeps `key` for the origin of `baseUrl`. An empty key deletes the kept one. */
  async set(baseUrl: string, key: string): Promise<KeyChange> {
    const name = secretName(baseUrl);
    if (name === undefined) return { ok: false, error: l10n.t('"{0}" is not the address of a server.', baseUrl) };
    const trimmed = key.trim();
    if (trimmed === '') {
      await this.#parts.secrets.delete(name);
      return { ok: true };
    }
    // The key becomes a header, and headers allow only visible ASCII here.
    if (!/^[\x21-\x7e]+$/.test(trimmed)) {
      return { ok: false, error: l10n.t('An API key has no spaces, line breaks or characters beyond ASCII.') };
    }
    await this.#parts.secrets.store(name, trimmed);
    return { ok: true };
  }
}

/** Secrets that last as long as the process. */
export function memorySecrets(): Secrets {
  const values = new Map<string, string>();
  return {
    get: (name) => Promise.resolve(values.get(name)),
    store: (name, value) => Promise.resolve(void values.set(name, value)),
    delete: (name) => Promise.resolve(void values.delete(name)),
  };
}

function secretName(baseUrl: string): string | undefined {
  try {
    return `apiKey:${originOf(baseUrl)}`;
  } catch {
    // An invalid URL has no origin, so it has no key.
    return undefined;
  }
}
