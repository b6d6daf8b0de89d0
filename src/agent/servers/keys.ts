import { originOf } from '../../sdk/model/http/endpointUrl';

/** Where secrets are kept: VS Code's SecretStorage, or nothing but memory. */
export interface Secrets {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

export type KeyChange = { readonly ok: true } | { readonly ok: false; readonly error: string };

/**
 * API keys, each bound to the origin (scheme, host and port) it was entered for. A key is never found for another
 * origin, so a changed base URL can never carry it elsewhere.
 */
export class KeyStore {
  readonly #secrets: Secrets;

  constructor({ secrets }: { readonly secrets: Secrets }) {
    this.#secrets = secrets;
  }

  /** The key for the server at `baseUrl`; `undefined` when there is none or the URL makes no sense. */
  async get(baseUrl: string): Promise<string | undefined> {
    const name = secretName(baseUrl);
    if (name === undefined) return undefined;
    return this.#secrets.get(name);
  }

  /** Keeps `key` for the origin of `baseUrl`; an empty one forgets what was kept. */
  async set(baseUrl: string, key: string): Promise<KeyChange> {
    const name = secretName(baseUrl);
    if (name === undefined) return { ok: false, error: `"${baseUrl}" is not the address of a server.` };
    const trimmed = key.trim();
    if (trimmed === '') {
      await this.#secrets.delete(name);
      return { ok: true };
    }
    // It becomes a header: anything but visible ASCII would be refused there, or end the header early.
    if (!/^[\x21-\x7e]+$/.test(trimmed)) {
      return { ok: false, error: 'An API key has no spaces, line breaks or characters beyond ASCII.' };
    }
    await this.#secrets.store(name, trimmed);
    return { ok: true };
  }
}

/** Secrets that live as long as the process. */
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
    // Not a URL: there is no origin a key could belong to.
    return undefined;
  }
}
