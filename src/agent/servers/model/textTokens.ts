import * as z from 'zod';
import { estimateTokens } from '../../../sdk/context/tokenCount';
import type { JsonObject } from '../../../util/json';
import { getJson } from '../probe/getJson';
import type { ServerKind } from '../probe/serverIdentity';

export interface TextTokensParts {
  readonly fetch: typeof fetch;
  /** Called once for each server that cannot count. */
  readonly onProblem: (message: string) => void;
}

/** A text to count, for one model. */
export interface CountedText {
  readonly text: string;
  readonly model: string;
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Absent: not known. */
  readonly kind?: ServerKind | undefined;
}

// Source: llama-server's README, `POST /tokenize`.
const LlamaCppTokens = z.object({ tokens: z.array(z.unknown()) }).transform(({ tokens }) => tokens.length);
// Source: vLLM's `TokenizeCompletionRequest` and `TokenizeResponse`.
const VllmTokens = z.object({ count: z.int().min(0) }).transform(({ count }) => count);

const TIMEOUT_MS = 5_000;

/** Counts texts with the server's own tokenizer, or by an estimate. */
export class TextTokens {
  readonly #parts: TextTokensParts;
  readonly #cannot = new Set<string>();

  constructor(parts: TextTokensParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async count(counted: CountedText, signal: AbortSignal): Promise<number> {
    const { text, baseUrl } = counted;
    if (text === '' || this.#cannot.has(baseUrl)) return estimateTokens(text);
    return (await this.#ask(counted, signal)) ?? estimateTokens(text);
  }

  async #ask({ text, model, baseUrl, apiKey, kind }: CountedText, signal: AbortSignal): Promise<number | undefined> {
    if (kind !== 'llama.cpp' && kind !== 'vllm') return undefined;
    const body: JsonObject =
      kind === 'vllm'
        ? { model, prompt: text, add_special_tokens: false }
        : { model, content: text, add_special: false, parse_special: false };
    const url = `${baseUrl.replace(/\/v1$/, '')}/tokenize`;
    const answer = await getJson(url, { apiKey, fetch: this.#parts.fetch, signal, timeoutMs: TIMEOUT_MS, body });
    const parsed = (kind === 'vllm' ? VllmTokens : LlamaCppTokens).safeParse(answer.ok ? answer.body : undefined);
    if (parsed.success) return parsed.data;
    if (signal.aborted) return undefined;
    this.#cannot.add(baseUrl);
    const why = answer.ok ? `${url} answered with something else.` : answer.error.message;
    this.#parts.onProblem(`The length of texts is estimated, because the server cannot count them: ${why}`);
    return undefined;
  }
}
