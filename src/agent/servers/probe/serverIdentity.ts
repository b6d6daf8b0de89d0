import * as z from 'zod';
import type { AgentErrorInfo } from '../../../sdk/errors';
import type { Get } from './getJson';

export type ServerKind = 'llama.cpp' | 'ollama' | 'lmstudio' | 'vllm' | 'koboldcpp' | 'unknown';

export interface ServerModel {
  readonly id: string;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** `loaded`: what a request really gets · `advertised`: what the model could take, which may not be what is loaded. */
  readonly contextSource?: 'loaded' | 'advertised' | undefined;
  /** Absent where the server does not say; so are the two below. */
  readonly isLoaded?: boolean | undefined;
  /** It takes images. */
  readonly hasVision?: boolean | undefined;
  /** It was made to call tools, or its template has them. */
  readonly hasTools?: boolean | undefined;
}

/** What a server is and has. */
export interface ServerIdentity {
  readonly kind: ServerKind;
  /** For people: `llama.cpp`, `Ollama`, …; `OpenAI-compatible` when unknown. */
  readonly name: string;
  /** May be empty. */
  readonly models: readonly ServerModel[];
  /** Requests it works on at once, when it says. */
  readonly slots?: number | undefined;
  /** It loads and unloads models when it is asked to: see `loadModel`. */
  readonly canLoad?: boolean | undefined;
}

/** One model of `GET /v1/models`, with the fields that known servers add to it. */
export interface ModelEntry {
  readonly id: string;
  readonly ownedBy?: string | undefined;
  /** vLLM. */
  readonly maxModelLength?: number | undefined;
  /** Several hosts of many models: what the model could take. */
  readonly contextLength?: number | undefined;
  /** llama.cpp. */
  readonly loadedContext?: number | undefined;
  /** llama.cpp as a router: `loaded`, `loading`, `unloaded`. */
  readonly status?: string | undefined;
  /** llama.cpp as a router: `text`, `image`, …, also of what is not loaded. */
  readonly inputModalities?: readonly string[] | undefined;
}

export interface Sight {
  /** The server's address without `/v1`. */
  readonly root: string;
  readonly entries: readonly ModelEntry[];
  readonly get: Get;
}

export type Refusal = { readonly error: AgentErrorInfo };

export interface Fingerprint {
  /** What the list alone says. */
  readonly isLikely: (entries: readonly ModelEntry[]) => boolean;
  /** Looks closer; `undefined`: it is another server. */
  readonly look: (sight: Sight, isLikely: boolean) => Promise<ServerIdentity | Refusal | undefined>;
}

export const ownedBy = (owner: string) => (entries: readonly ModelEntry[]) => entries.some((e) => e.ownedBy === owner);

/** A number of tokens or of slots; anything else counts as not said. */
export const Count = z.number().int().positive().optional().catch(undefined);

/** A model in memory, with the window it was loaded with when that is known. */
export function loaded(id: string, window: number | undefined): ServerModel {
  return window === undefined
    ? { id, isLoaded: true }
    : { id, contextWindow: window, contextSource: 'loaded', isLoaded: true };
}

export async function bodyOf(get: Get, url: string): Promise<unknown> {
  const answer = await get(url);
  return answer.ok ? answer.body : undefined;
}
