import * as z from 'zod';
import type { AgentErrorInfo } from '../../sdk/errors';
import type { Get } from './getJson';

export type ServerKind = 'llama.cpp' | 'ollama' | 'lmstudio' | 'vllm' | 'koboldcpp' | 'unknown';

export interface ServerModel {
  readonly id: string;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** `loaded`: what a request really gets · `advertised`: what the model could take, which may not be what is loaded. */
  readonly contextSource?: 'loaded' | 'advertised' | undefined;
  /** Absent where the server does not say. */
  readonly isLoaded?: boolean | undefined;
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
}

export interface Sight {
  /** The server's address without `/v1`. */
  readonly root: string;
  readonly entries: readonly ModelEntry[];
  readonly get: Get;
}

type Refusal = { readonly error: AgentErrorInfo };

interface Fingerprint {
  /** What the list alone says. */
  readonly isLikely: (entries: readonly ModelEntry[]) => boolean;
  /** Looks closer; `undefined`: it is another server. */
  readonly look: (sight: Sight, isLikely: boolean) => Promise<ServerIdentity | Refusal | undefined>;
}

/**
 * What kind of server it is, by what only that kind answers. Where the model list already gives it away, no other
 * server's addresses are tried.
 */
export async function identifyServer(sight: Sight): Promise<ServerIdentity | Refusal> {
  const likely = FINGERPRINTS.find((fingerprint) => fingerprint.isLikely(sight.entries));
  const known = await likely?.look(sight, true);
  if (known) return known;
  const looks = await Promise.all(FINGERPRINTS.map((fingerprint) => fingerprint.look(sight, false)));
  return looks.find((identity) => identity !== undefined) ?? unknownServer(sight);
}

function unknownServer({ entries }: Sight): ServerIdentity {
  return { kind: 'unknown', name: 'OpenAI-compatible', models: entries.map(advertised) };
}

function advertised({ id, contextLength }: ModelEntry): ServerModel {
  return contextLength === undefined ? { id } : { id, contextWindow: contextLength, contextSource: 'advertised' };
}

const ownedBy = (owner: string) => (entries: readonly ModelEntry[]) => entries.some((e) => e.ownedBy === owner);

const Count = z.number().int().positive().optional().catch(undefined);

// KoboldCpp answers llama.cpp's and Ollama's addresses too, so it comes before them.
// Source: its API documentation, `GET /api/extra/version` and `/api/extra/true_max_context_length`.
const KoboldVersion = z.object({ result: z.literal('KoboldCpp') });
const KoboldWindow = z.object({ value: Count });

const koboldcpp: Fingerprint = {
  isLikely: ownedBy('koboldcpp'),
  async look({ root, entries, get }) {
    const version = await get(`${root}/api/extra/version`);
    if (!version.ok || !KoboldVersion.safeParse(version.body).success) return undefined;
    const answer = await get(`${root}/api/extra/true_max_context_length`);
    const window = answer.ok ? KoboldWindow.safeParse(answer.body).data?.value : undefined;
    return { kind: 'koboldcpp', name: 'KoboldCpp', models: entries.map(({ id }) => loaded(id, window)) };
  },
};

// llama-server: `GET /props`. A router of several models names one with `?model=`, and would load it without `autoload=false`.
const Props = z.object({
  default_generation_settings: z.object({ n_ctx: Count }),
  total_slots: Count,
});
const MAX_ROUTED_LOOKS = 4;

const llamaCpp: Fingerprint = {
  isLikely: ownedBy('llamacpp'),
  async look({ root, entries, get }, isLikely) {
    const answer = await get(`${root}/props`);
    // The model list is open to everybody even when the server wants a key; this is not, nor is a chat.
    if (isLikely && !answer.ok && answer.error.code === 'unauthorized') return { error: answer.error };
    const props = answer.ok ? Props.safeParse(answer.body).data : undefined;
    if (!props && !isLikely) return undefined;
    const name = 'llama.cpp';
    if (!entries.some((entry) => entry.status !== undefined)) {
      const window = props?.default_generation_settings.n_ctx;
      const models = entries.map(({ id, loadedContext }) => loaded(id, window ?? loadedContext));
      return { kind: 'llama.cpp', name, models, slots: props?.total_slots };
    }
    const running = entries.filter((entry) => entry.status === 'loaded').slice(0, MAX_ROUTED_LOOKS);
    const routed = new Map(
      await Promise.all(
        running.map(async ({ id }) => {
          const own = await get(`${root}/props?model=${encodeURIComponent(id)}&autoload=false`);
          return [id, own.ok ? Props.safeParse(own.body).data : undefined] as const;
        }),
      ),
    );
    const slots = [...routed.values()].map((own) => own?.total_slots).find((count) => count !== undefined);
    const models = entries.map(({ id, status, loadedContext }) =>
      status === 'loaded'
        ? loaded(id, routed.get(id)?.default_generation_settings.n_ctx ?? loadedContext)
        : { id, isLoaded: false },
    );
    return { kind: 'llama.cpp', name, models, slots };
  },
};

// LM Studio: `GET /api/v0/models`, since 0.3.6. It answers unknown addresses with 200 and an error object.
const LmStudioList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      state: z.enum(['loaded', 'not-loaded']),
      loaded_context_length: Count,
      max_context_length: Count,
    }),
  ),
});

const lmStudio: Fingerprint = {
  isLikely: (entries) => ['organization_owner', 'organization-owner'].some((owner) => ownedBy(owner)(entries)),
  async look({ root, get }) {
    const answer = await get(`${root}/api/v0/models`);
    const list = answer.ok ? LmStudioList.safeParse(answer.body).data : undefined;
    if (!list) return undefined;
    const models = list.data
      .filter((model) => model.type !== 'embeddings')
      .map(({ id, state, loaded_context_length, max_context_length }): ServerModel => {
        if (state === 'loaded' && loaded_context_length !== undefined) return loaded(id, loaded_context_length);
        const isLoaded = state === 'loaded';
        if (max_context_length === undefined) return { id, isLoaded };
        return { id, contextWindow: max_context_length, contextSource: 'advertised', isLoaded };
      });
    return { kind: 'lmstudio', name: 'LM Studio', models };
  },
};

// vLLM: `max_model_len` in the list; `GET /version`.
const Version = z.object({ version: z.string() });

const vllm: Fingerprint = {
  isLikely: (entries) => ownedBy('vllm')(entries) || entries.some((entry) => entry.maxModelLength !== undefined),
  async look({ root, entries, get }, isLikely) {
    if (!isLikely) return undefined;
    // SGLang and others list `max_model_len` too: without vLLM's own mark the window counts, the name does not.
    const isVllm = ownedBy('vllm')(entries) || Version.safeParse(await bodyOf(get, `${root}/version`)).success;
    const models = entries.map(({ id, maxModelLength }) => loaded(id, maxModelLength));
    return isVllm ? { kind: 'vllm', name: 'vLLM', models } : { kind: 'unknown', name: 'OpenAI-compatible', models };
  },
};

// Ollama: `GET /api/version`, `GET /api/ps` for what is in memory and with which window, and `POST /api/show` for what
// is not: the window it would be loaded with where its own file says so, else what the model could take.
const OllamaRunning = z.object({ models: z.array(z.object({ name: z.string(), context_length: Count })) });
const OllamaShown = z.object({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const MAX_SHOWN = 8;

const ollama: Fingerprint = {
  isLikely: ownedBy('library'),
  async look({ root, entries, get }) {
    if (!Version.safeParse(await bodyOf(get, `${root}/api/version`)).success) return undefined;
    const running = OllamaRunning.safeParse(await bodyOf(get, `${root}/api/ps`)).data;
    if (!running) return { kind: 'ollama', name: 'Ollama', models: entries.map(({ id }) => ({ id })) };
    const windows = new Map(running.models.map((model) => [model.name, model.context_length]));
    const waiting = entries.filter(({ id }) => !windows.has(id)).slice(0, MAX_SHOWN);
    const shown = new Map(
      await Promise.all(
        waiting.map(async ({ id }) => {
          const answer = await get(`${root}/api/show`, { model: id });
          return [id, answer.ok ? OllamaShown.safeParse(answer.body).data : undefined] as const;
        }),
      ),
    );
    const models = entries.map(({ id }) =>
      windows.has(id) ? loaded(id, windows.get(id)) : { id, isLoaded: false, ...shownWindow(shown.get(id)) },
    );
    return { kind: 'ollama', name: 'Ollama', models };
  },
};

function shownWindow(
  shown: z.infer<typeof OllamaShown> | undefined,
): Pick<ServerModel, 'contextWindow' | 'contextSource'> {
  const own = /^num_ctx\s+(\d+)/m.exec(shown?.parameters ?? '')?.[1];
  if (own !== undefined) return { contextWindow: Number(own), contextSource: 'loaded' };
  const info = Object.entries(shown?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1];
  const possible = Count.parse(info);
  return possible === undefined ? {} : { contextWindow: possible, contextSource: 'advertised' };
}

const FINGERPRINTS: readonly Fingerprint[] = [koboldcpp, llamaCpp, lmStudio, vllm, ollama];

function loaded(id: string, window: number | undefined): ServerModel {
  return window === undefined
    ? { id, isLoaded: true }
    : { id, contextWindow: window, contextSource: 'loaded', isLoaded: true };
}

async function bodyOf(get: Get, url: string): Promise<unknown> {
  const answer = await get(url);
  return answer.ok ? answer.body : undefined;
}
