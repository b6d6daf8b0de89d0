import * as z from 'zod';
import type { CountTokens } from '../../../sdk/context/compactionOptions';
import { imageTokensOf } from '../../../sdk/context/tokenCount';
import type { ModelRequest } from '../../../sdk/model/modelProvider';
import type { QuirkMemory } from '../../../sdk/model/wire/serverQuirks';
import { withoutImages } from '../../../sdk/model/wire/wireImages';
import { toWireRequest } from '../../../sdk/model/wire/wireRequest';
import type { JsonObject } from '../../../util/json';
import { getJson } from '../probe/getJson';
import type { ServerKind } from '../probe/serverIdentity';

export interface ServerTokenizerParts {
  readonly kind: ServerKind;
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** Request features that the server rejects are not counted. */
  readonly quirks: Pick<QuirkMemory, 'get'>;
  /** Called once when the server cannot count. Estimates are used from then on. */
  readonly onProblem: (message: string) => void;
}

/**
 * Lets the server count a prompt with its own chat template; `undefined` for servers without such an API. The counter never
 * rejects; it returns `undefined` after the server has failed to count.
 */
export function createServerTokenizer(parts: ServerTokenizerParts): CountTokens | undefined {
  const count = COUNTERS[parts.kind];
  if (!count) return undefined;
  let hasFailed = false;
  return async (request, { signal }) => {
    if (hasFailed) return undefined;
    const outcome = await count(request, parts, signal);
    if (outcome.ok) return outcome.tokens + imageTokensOf(request.messages);
    if (signal.aborted) return undefined;
    hasFailed = true;
    parts.onProblem(`The length of prompts is estimated, because the server cannot count them: ${outcome.message}`);
    return undefined;
  };
}

type Outcome = { readonly ok: true; readonly tokens: number } | { readonly ok: false; readonly message: string };
type Count = (request: ModelRequest, parts: ServerTokenizerParts, signal: AbortSignal) => Promise<Outcome>;

// Source: llama-server's README, `POST /apply-template` and `POST /tokenize`. A router forwards both by `model`.
const Template = z.object({ prompt: z.string() });
const Tokens = z.object({ tokens: z.array(z.unknown()).min(1) });

const llamaCpp: Count = async (request, parts, signal) => {
  const templated = await ask('/apply-template', promptOf(request, parts), parts, signal, Template);
  if (!templated.ok) return templated;
  const { prompt } = templated.body;
  const text = { model: request.model, content: prompt, add_special: true, parse_special: true };
  const counted = await ask('/tokenize', text, parts, signal, Tokens);
  return counted.ok ? { ok: true, tokens: counted.body.tokens.length } : counted;
};

// Source: vLLM's `TokenizeChatRequest` and `TokenizeResponse`.
const Counted = z.object({ count: z.int().min(1) });

const vllm: Count = async (request, parts, signal) => {
  const body = { ...promptOf(request, parts), add_generation_prompt: true };
  const counted = await ask('/tokenize', body, parts, signal, Counted);
  return counted.ok ? { ok: true, tokens: counted.body.count } : counted;
};

const COUNTERS: Partial<Record<ServerKind, Count>> = { 'llama.cpp': llamaCpp, vllm };

/** Counting takes milliseconds, but a server that reads a prompt may answer only after it. */
const TIMEOUT_MS = 5_000;

/** The parts of a request that the template turns into the prompt. */
function promptOf(request: ModelRequest, { quirks }: ServerTokenizerParts): JsonObject {
  const { model, messages, tools, chat_template_kwargs } = toWireRequest(request, quirks.get(request.model));
  // The server's tokenizer knows texts only. Images are estimated.
  const texts = messages.map(withoutImages);
  return { model, messages: texts, tools, chat_template_kwargs } as unknown as JsonObject;
}

async function ask<T>(
  path: string,
  body: JsonObject,
  { baseUrl, apiKey, fetch }: ServerTokenizerParts,
  signal: AbortSignal,
  shape: z.ZodType<T>,
): Promise<{ readonly ok: true; readonly body: T } | { readonly ok: false; readonly message: string }> {
  const url = `${baseUrl.replace(/\/v1$/, '')}${path}`;
  const answer = await getJson(url, { apiKey, fetch, signal, timeoutMs: TIMEOUT_MS, body });
  if (!answer.ok) return { ok: false, message: answer.error.message };
  const parsed = shape.safeParse(answer.body);
  return parsed.success
    ? { ok: true, body: parsed.data }
    : { ok: false, message: `${url} answered with something else.` };
}
