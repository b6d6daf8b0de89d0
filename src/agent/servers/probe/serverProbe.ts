import * as l10n from '../../../util/l10n';
import * as z from 'zod';
import type { AgentErrorInfo } from '../../../sdk/errors';
import { AgentError } from '../../../sdk/errors';
import { normalizeBaseUrl } from '../../../sdk/model/http/baseUrl';
import { identifyServer } from './fingerprints';
import { getJson, type Get } from './getJson';
import { Count, type ModelEntry, type ServerIdentity } from './serverIdentity';

/** A server with an OpenAI-compatible API. `models` may be empty. */
export interface FoundServer extends ServerIdentity {
  readonly ok: true;
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
}

export interface FailedProbe {
  readonly ok: false;
  /** Normalised if possible, else as given. */
  readonly baseUrl: string;
  readonly error: AgentErrorInfo;
}

export type ServerProbe = FoundServer | FailedProbe;

export interface ProbeOptions {
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** The time limit of each request. */
  readonly timeoutMs?: number | undefined;
}

/** Identifies a server and its models. Loads no model. Rejects only when `signal` is aborted, with its reason. */
export async function probeServer(baseUrl: string, options: ProbeOptions): Promise<ServerProbe> {
  let normalized: string;
  try {
    normalized = normalizeBaseUrl(baseUrl);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { ok: false, baseUrl, error: error.toInfo() };
  }
  const { apiKey, fetch, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const get: Get = (url, body) => getJson(url, { apiKey, fetch, signal, timeoutMs, body });
  const url = `${normalized}/models`;
  const answer = await get(url);
  signal.throwIfAborted();
  if (!answer.ok) return { ok: false, baseUrl: normalized, error: answer.error };
  const entries = parseModelList(answer.body);
  if (!entries) {
    const message = l10n.t(
      '{0} answered, but not with a list of models. Check that the URL is that of an OpenAI-compatible server; it usually ends in /v1.',
      url,
    );
    return { ok: false, baseUrl: normalized, error: { code: 'not_openai_compatible', message } };
  }
  const identity = await identifyServer({ root: normalized.replace(/\/v1$/, ''), entries, get });
  signal.throwIfAborted();
  if ('error' in identity) return { ok: false, baseUrl: normalized, error: identity.error };
  return { ok: true, baseUrl: normalized, ...identity };
}

const DEFAULT_TIMEOUT_MS = 5_000;

const Entry = z.object({
  id: z.string().min(1),
  owned_by: z.string().optional().catch(undefined),
  created: z.number().optional().catch(undefined),
  max_model_len: Count,
  context_length: Count,
  context_window: Count,
  max_context_length: Count,
  parameters: z.object({ max_seq_len: Count }).optional().catch(undefined),
  meta: z.object({ n_ctx: Count }).optional().catch(undefined),
  status: z
    .union([z.object({ value: z.string() }).transform(({ value }) => value), z.string()])
    .optional()
    .catch(undefined),
  architecture: z
    .object({ input_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
});

/** What a model list tells about the models, to compare it with another one. */
export function modelListOf(body: unknown): unknown {
  // Some servers give the time of the request as the time of the model.
  return parseModelList(body)?.map(({ created: _created, ...entry }) => entry);
}

/** Ollama without a model answers `data: null`. Some gateways give the list alone. */
const ModelList = z.union([
  z.object({ data: z.array(z.unknown()).nullable() }).transform(({ data }) => data ?? []),
  z.array(z.object({ id: z.string() }).loose()).min(1),
]);

/** Skips invalid entries. */
function parseModelList(body: unknown): readonly ModelEntry[] | undefined {
  const list = ModelList.safeParse(body);
  if (!list.success) return undefined;
  const entries: ModelEntry[] = [];
  for (const item of list.data) {
    const entry = Entry.safeParse(item);
    if (!entry.success) continue;
    const { id, owned_by, created, max_model_len, meta, status, architecture } = entry.data;
    const { context_length, context_window, max_context_length, parameters } = entry.data;
    entries.push({
      id,
      ownedBy: owned_by,
      created,
      maxModelLength: max_model_len,
      contextLength: context_length ?? context_window ?? max_context_length,
      // TabbyAPI lists the parameters of its loaded model.
      loadedContext: meta?.n_ctx ?? parameters?.max_seq_len,
      status,
      inputModalities: architecture?.input_modalities,
    });
  }
  return entries;
}
