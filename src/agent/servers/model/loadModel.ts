import * as l10n from '../../../util/l10n';
import * as z from 'zod';
import type { AgentErrorInfo } from '../../../sdk/errors';
import { delay } from '../../../util/async/delay';
import { isJsonObject, type JsonObject } from '../../../util/json';
import { getJson, type JsonAnswer } from '../probe/getJson';
import { loadedInstances } from '../probe/kinds/lmStudio';
import type { ServerIdentity, ServerKind } from '../probe/serverIdentity';

export interface LoadTask {
  readonly server: Pick<ServerIdentity, 'kind' | 'name' | 'canLoad'> & {
    /** Normalised, ending in `/v1`. */
    readonly baseUrl: string;
  };
  /** The id in the server's list. */
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** Aborting stops the wait, and the loading where the server can. */
  readonly signal: AbortSignal;
  /** Waits between two polls of a loading server. Resolves when the signal is aborted, too. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export type LoadOutcome = { readonly ok: true } | { readonly ok: false; readonly error: AgentErrorInfo };

/** Makes the server load a model. Resolves when it is loaded. Never rejects: an error quotes the server. */
export async function loadModel(task: LoadTask): Promise<LoadOutcome> {
  return task.server.canLoad ? LOADERS[task.server.kind].load(task) : unable(task);
}

/** Makes the server unload a model. Never rejects. */
export async function unloadModel(task: LoadTask): Promise<LoadOutcome> {
  return task.server.canLoad ? LOADERS[task.server.kind].unload(task) : unable(task);
}

interface Loader {
  readonly load: (task: LoadTask) => Promise<LoadOutcome>;
  readonly unload: (task: LoadTask) => Promise<LoadOutcome>;
}

const done: LoadOutcome = { ok: true };

/**
 * llama-server as a router. `POST /models/load` only starts loading, so the list is polled. Source: its README. `failed` and
 * `exit_code` stand beside `unloaded` when the model's process has ended.
 */
const llamaRouter: Loader = {
  async load(task) {
    const { model, signal, wait = delay } = task;
    const started = await startRouted(task);
    // The server rejects a model that is loading or loaded. The list tells which.
    const isRunning = !started.ok && /already (?:running|loaded)/i.test(started.error.message);
    if (!started.ok && !isRunning) return stopped(task) ?? started;
    for (;;) {
      const state = await routedState(task);
      if (state === 'loaded' || state === 'sleeping') return done;
      if (typeof state === 'object') return state;
      await wait(POLL_MS, signal);
      if (!signal.aborted) continue;
      await post({ ...task, signal: AbortSignal.timeout(STOP_MS) }, '/models/unload', { model });
      return interrupted(task);
    }
  },
  async unload(task) {
    const answer = await post(task, '/models/unload', { model: task.model });
    const wasOut = !answer.ok && /not (?:running|loaded)/i.test(answer.error.message);
    if (!answer.ok) return wasOut ? done : answer;
    // The answer comes before the model's process has ended.
    for (let polls = 0; polls < MAX_UNLOAD_POLLS && !task.signal.aborted; polls += 1) {
      const state = await routedState(task);
      if (typeof state === 'object' || !/^(?:loaded|sleeping|loading)$/.test(state)) break;
      await (task.wait ?? delay)(UNLOAD_POLL_MS, task.signal);
    }
    return done;
  },
};

/** The process of the model that makes room may still be ending. Then llama-server refuses at once, seen with b11669. */
async function startRouted(task: LoadTask): Promise<JsonAnswer> {
  for (let polls = 0; ; polls += 1) {
    const started = await post(task, '/models/load', { model: task.model });
    const isFull = !started.ok && /model limit reached/i.test(started.error.message);
    if (!isFull || polls === MAX_UNLOAD_POLLS || task.signal.aborted) return started;
    await (task.wait ?? delay)(UNLOAD_POLL_MS, task.signal);
  }
}

/** Ollama: a request without a prompt loads a model, and with `keep_alive: 0` unloads it. Source: its API documentation. */
const ollama: Loader = {
  load: async (task) => outcomeOf(task, await post(task, '/api/generate', { model: task.model, stream: false })),
  unload: async (task) =>
    outcomeOf(task, await post(task, '/api/generate', { model: task.model, keep_alive: 0, stream: false })),
};

/** LM Studio since 0.4. It unloads instances, and a model may have several. Source: its REST API v1. */
const lmStudio: Loader = {
  load: async (task) => outcomeOf(task, await post(task, '/api/v1/models/load', { model: task.model })),
  async unload(task) {
    const list = await ask(task, '/api/v1/models');
    if (!list.ok) return stopped(task) ?? list;
    for (const instance of loadedInstances(list.body, task.model) ?? []) {
      const answer = outcomeOf(task, await post(task, '/api/v1/models/unload', { instance_id: instance }));
      if (!answer.ok) return answer;
    }
    return done;
  },
};

/** llama-swap loads the model of each address below `/upstream`, and answers when it is loaded. Source: its README. */
const llamaSwap: Loader = {
  async load(task) {
    const answer = await ask(task, `/upstream/${encodeURIComponent(task.model)}/v1/models`);
    return answer.ok ? done : (stopped(task) ?? answer);
  },
  async unload(task) {
    const answer = await post(task, `/api/models/unload/${encodeURIComponent(task.model)}`, {});
    if (answer.ok) return done;
    // It answers with the word OK. The list tells whether the model is out.
    const list = await ask(task, '/running');
    const running = list.ok ? SwappedModels.safeParse(list.body).data?.running : undefined;
    return running?.every(({ model }) => model !== task.model) === true ? done : (stopped(task) ?? answer);
  },
};

const none: Loader = { load: (task) => Promise.resolve(unable(task)), unload: (task) => Promise.resolve(unable(task)) };

const LOADERS: Readonly<Record<ServerKind, Loader>> = {
  'llama.cpp': llamaRouter,
  ollama,
  lmstudio: lmStudio,
  vllm: none,
  koboldcpp: none,
  'llama-swap': llamaSwap,
  litellm: none,
  unknown: none,
};

const POLL_MS = 1_000;
const UNLOAD_POLL_MS = 250;
const MAX_UNLOAD_POLLS = 40;
const STOP_MS = 5_000;

const RoutedModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      status: z
        .object({ value: z.string(), failed: z.boolean().optional(), exit_code: z.number().optional() })
        .optional(),
    }),
  ),
});

const SwappedModels = z.object({ running: z.array(z.object({ model: z.string() })) });

/** `pending`: not loaded yet, and not failed. */
async function routedState(task: LoadTask): Promise<string | (LoadOutcome & { readonly ok: false })> {
  const answer = await ask(task, '/v1/models');
  if (task.signal.aborted) return 'pending';
  if (!answer.ok) return answer;
  const models = RoutedModels.safeParse(answer.body).data?.data;
  const status = models?.find(({ id }) => id === task.model)?.status;
  if (status?.failed) {
    const { name } = task.server;
    return failed(
      status.exit_code === undefined
        ? l10n.t("{0} could not load {1}. See the server's log.", name, task.model)
        : l10n.t(
            "{0} could not load {1} (its process ended with code {2}). See the server's log.",
            name,
            task.model,
            status.exit_code,
          ),
    );
  }
  if (!status) return failed(l10n.t('{0} no longer lists {1}.', task.server.name, task.model));
  return status.value;
}

function post(task: LoadTask, path: string, body: JsonObject): Promise<JsonAnswer> {
  return ask(task, path, body);
}

/** No time limit: loading takes minutes, and the person can stop. */
function ask({ server, apiKey, fetch, signal }: LoadTask, path: string, body?: JsonObject): Promise<JsonAnswer> {
  const root = server.baseUrl.replace(/\/v1$/, '');
  return getJson(`${root}${path}`, { apiKey, fetch, signal, timeoutMs: null, body });
}

function outcomeOf(task: LoadTask, answer: JsonAnswer): LoadOutcome {
  if (!answer.ok) return stopped(task) ?? answer;
  // LM Studio answers unknown addresses with 200.
  const said = isJsonObject(answer.body) ? answer.body['error'] : undefined;
  if (said === undefined) return done;
  const words = typeof said === 'string' ? said : JSON.stringify(said);
  return failed(l10n.t('{0} refused. It says: {1}', task.server.name, words.slice(0, 500).toWellFormed()));
}

function stopped(task: LoadTask): LoadOutcome | undefined {
  return task.signal.aborted ? interrupted(task) : undefined;
}

function interrupted({ model }: LoadTask): LoadOutcome {
  return { ok: false, error: { code: 'interrupted', message: l10n.t('Stopped waiting for {0}.', model) } };
}

function unable({ server }: LoadTask): LoadOutcome {
  return failed(
    l10n.t(
      '{0} at {1} has no way to load or unload models from here. Start it with the model you want.',
      server.name,
      server.baseUrl,
    ),
  );
}

function failed(message: string): LoadOutcome & { readonly ok: false } {
  return { ok: false, error: { code: 'server_error', message } };
}
