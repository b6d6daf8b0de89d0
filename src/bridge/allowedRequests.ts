import type { StartMessage } from './parseMessage';

/**
 * Every path that the bridge requests, with its method. The first two are the API of OpenAI. The others tell what kind of
 * server it is, and the lengths of prompts. None of them changes the server.
 */
export const allowedPaths = {
  '/v1/models': 'GET',
  '/v1/chat/completions': 'POST',
  /** llama.cpp. */
  '/props': 'GET',
  '/tokenize': 'POST',
  '/apply-template': 'POST',
  /** Ollama. */
  '/api/version': 'GET',
  '/api/ps': 'GET',
  '/api/show': 'POST',
  /** LM Studio. */
  '/api/v1/models': 'GET',
  '/api/v0/models': 'GET',
  /** vLLM, llama-swap, LiteLLM. */
  '/version': 'GET',
  '/running': 'GET',
  '/model/info': 'GET',
  /** KoboldCpp. */
  '/api/extra/version': 'GET',
  '/api/extra/true_max_context_length': 'GET',
} as const satisfies Readonly<Record<string, 'GET' | 'POST'>>;

export type AllowedPath = keyof typeof allowedPaths;

/** A request that the bridge may send, after the person's consent for `origin`. */
export interface AllowedRequest {
  readonly origin: string;
  readonly url: string;
  readonly path: AllowedPath;
  readonly method: 'GET' | 'POST';
  readonly body: string | undefined;
}

export function isAllowedPath(path: string): path is AllowedPath {
  return Object.hasOwn(allowedPaths, path);
}

/** Judges a request of a remote extension. `undefined`: it may not be sent. */
export function judgeRequest({ origin, path, model, body }: StartMessage): AllowedRequest | undefined {
  if (!isOrigin(origin) || !isAllowedPath(path)) return undefined;
  const method = allowedPaths[path];
  if ((method === 'POST') !== (body !== undefined)) return undefined;
  if (model !== undefined && (path !== '/props' || !model.isWellFormed())) return undefined;
  // The same as `propsOfModel` reads. `autoload`: asking must not load a model.
  const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}&autoload=false`;
  return { origin, url: `${origin}${path}${query}`, path, method, body };
}

/** Whether a text is an origin as `URL` writes it: no user, no path, no other spelling of its host. */
export function isOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === origin && url.hostname !== '';
}
