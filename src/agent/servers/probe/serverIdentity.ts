import * as z from 'zod';
import type { AgentErrorInfo } from '../../../sdk/errors';
import type { Get } from './getJson';

export type ServerKind =
  'llama.cpp' | 'ollama' | 'lmstudio' | 'vllm' | 'koboldcpp' | 'llama-swap' | 'litellm' | 'unknown';

export interface ServerModel {
  readonly id: string;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** `loaded`: the window of requests · `advertised`: the model's maximum, which may be larger. */
  readonly contextSource?: 'loaded' | 'advertised' | undefined;
  /** Absent when the server does not say. The same holds for the next two. */
  readonly isLoaded?: boolean | undefined;
  /** The model accepts images. */
  readonly hasVision?: boolean | undefined;
  /** The model or its template supports tool calls. */
  readonly hasTools?: boolean | undefined;
}

/** A server's kind and models. */
export interface ServerIdentity {
  readonly kind: ServerKind;
  /** For people: `llama.cpp`, `Ollama`, …; `OpenAI-compatible` when unknown. */
  readonly name: string;
  /** May be empty. */
  readonly models: readonly ServerModel[];
  /** How many requests it handles at once. Absent: not reported. */
  readonly slots?: number | undefined;
  /** It loads and unloads models on request. See `loadModel`. */
  readonly canLoad?: boolean | undefined;
}

/** One model of `GET /v1/models`, with the extra fields of known servers. */
export interface ModelEntry {
  readonly id: string;
  readonly ownedBy?: string | undefined;
  /** In seconds since 1970. LiteLLM gives the same for every model. */
  readonly created?: number | undefined;
  /** vLLM. */
  readonly maxModelLength?: number | undefined;
  /** The model's maximum, by several large hosts. */
  readonly contextLength?: number | undefined;
  /** llama.cpp. */
  readonly loadedContext?: number | undefined;
  /** llama.cpp as a router, and llama-swap: `loaded`, `loading`, `unloaded`. */
  readonly status?: string | undefined;
  /** llama.cpp as a router: `text`, `image`, …, for unloaded models, too. */
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
  /** Judges by the model list alone. */
  readonly isLikely: (entries: readonly ModelEntry[]) => boolean;
  /** Probes further; `undefined`: another kind of server. */
  readonly look: (sight: Sight, isLikely: boolean) => Promise<ServerIdentity | Refusal | undefined>;
}

export const ownedBy = (owner: string) => (entries: readonly ModelEntry[]) => entries.some((e) => e.ownedBy === owner);

/** A number of tokens or slots. Anything else counts as absent. */
export const Count = z.number().int().positive().optional().catch(undefined);

/** A loaded model, with its window if known. */
export function loaded(id: string, window: number | undefined): ServerModel {
  return window === undefined
    ? { id, isLoaded: true }
    : { id, contextWindow: window, contextSource: 'loaded', isLoaded: true };
}

export async function bodyOf(get: Get, url: string): Promise<unknown> {
  const answer = await get(url);
  return answer.ok ? answer.body : undefined;
}
