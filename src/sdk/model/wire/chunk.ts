import { isJsonObject, type JsonObject } from '../../../util/json';
import type { PromptProgress } from '../../events';
import type { Usage } from '../../messages';
import { readFinishReason, type FinishReason } from './finishReason';

/** The content of a chunk or a whole completion. Servers may omit every field. */
export interface Chunk {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly JsonObject[];
  readonly finishReason: FinishReason | undefined;
  /** Whether it has a whole message, not the next piece. */
  readonly isWhole: boolean;
}

/** Reads the first choice of a chunk; `undefined` when it has none. */
export function readChoice(chunk: JsonObject): Chunk | undefined {
  const choices = chunk['choices'];
  const choice: unknown = Array.isArray(choices) ? choices.find(isFirstChoice) : undefined;
  if (!isJsonObject(choice)) return undefined;
  const delta = isJsonObject(choice['delta']) ? choice['delta'] : undefined;
  const message = isJsonObject(choice['message']) ? choice['message'] : undefined;
  const body = delta ?? message ?? choice;
  const calls = body['tool_calls'];
  const legacyCall = body['function_call'];
  const content = body['content'] ?? body['text'] ?? body['refusal'];
  return {
    text: typeof content === 'string' ? content : textOfParts(content, 'text'),
    thinking: readThinking(body) || textOfParts(content, 'thinking'),
    calls: Array.isArray(calls) ? calls.filter(isJsonObject) : isJsonObject(legacyCall) ? [legacyCall] : NO_CALLS,
    finishReason: readFinishReason(choice['finish_reason']),
    isWhole: !delta && message !== undefined,
  };
}

/** Token counts from OpenAI's `usage`, or else llama-server's `timings`. Speeds are in `timings` only. */
export function readUsage(chunk: JsonObject): Usage | undefined {
  const usage = readCounts(chunk);
  return usage && { ...usage, ...readSpeeds(chunk['timings']) };
}

/** Source: llama-server, `prompt_per_second` and `predicted_per_second`. It reports nothing for a single token. */
function readSpeeds(timings: unknown): Pick<Usage, 'readPerSecond' | 'writtenPerSecond'> {
  if (!isJsonObject(timings)) return {};
  const { prompt_per_second: reading, predicted_per_second: writing } = timings;
  return {
    ...(isSpeed(reading) && { readPerSecond: reading }),
    ...(isSpeed(writing) && { writtenPerSecond: writing }),
  };
}

function isSpeed(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function readCounts(chunk: JsonObject): Usage | undefined {
  const usage = chunk['usage'];
  if (isJsonObject(usage)) {
    const promptTokens = usage['prompt_tokens'];
    const completionTokens = usage['completion_tokens'];
    if (typeof promptTokens !== 'number' || typeof completionTokens !== 'number') return undefined;
    const details = usage['prompt_tokens_details'];
    const cachedTokens = isJsonObject(details) ? details['cached_tokens'] : undefined;
    return typeof cachedTokens === 'number'
      ? { promptTokens, completionTokens, cachedTokens }
      : { promptTokens, completionTokens };
  }
  const timings = chunk['timings'];
  if (!isJsonObject(timings)) return undefined;
  const { cache_n: cached, prompt_n: read, predicted_n: predicted } = timings;
  if (typeof cached !== 'number' || typeof read !== 'number' || typeof predicted !== 'number') return undefined;
  return { promptTokens: cached + read, completionTokens: predicted, cachedTokens: cached };
}

/**
 * How much of the prompt was read. `processed` includes the cached tokens. Source: llama-server with
 * `return_progress`.
 */
export function readProgress(chunk: JsonObject): PromptProgress | undefined {
  const progress = chunk['prompt_progress'];
  if (!isJsonObject(progress)) return undefined;
  const { total, processed, cache, time_ms: elapsedMs } = progress;
  if (typeof total !== 'number' || typeof processed !== 'number') return undefined;
  const cached = typeof cache === 'number' ? cache : 0;
  return typeof elapsedMs === 'number' ? { total, processed, cached, elapsedMs } : { total, processed, cached };
}

/** The JSON of an error in the place of a chunk; `undefined` for any other chunk. */
export function readError(chunk: JsonObject): string | undefined {
  const error = chunk['error'];
  const isError =
    (error !== undefined && error !== null && error !== false && error !== '') ||
    chunk['object'] === 'error' ||
    (chunk['choices'] === undefined && (chunk['detail'] !== undefined || chunk['type'] === 'error'));
  return isError ? JSON.stringify(chunk) : undefined;
}

/** Servers that send several of these fields repeat the same text. `reasoning_details`: MiniMax, and gateways. */
function readThinking(body: JsonObject): string {
  const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details: details } = body;
  const text = firstText(reasoning_content, reasoning, reasoning_text, thinking);
  if (text !== '' || !Array.isArray(details)) return text;
  return details.map((part) => (isJsonObject(part) ? firstText(part['text'], part['summary']) : '')).join('');
}

const NO_CALLS: readonly JsonObject[] = [];

function isFirstChoice(choice: unknown): boolean {
  return isJsonObject(choice) && (choice['index'] === 0 || typeof choice['index'] !== 'number');
}

function firstText(...values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

/**
 * The text of content parts: `{type: 'text', text}`, and for thinking `{type: 'thinking', thinking: [{type: 'text',
 * text}]}`.
 */
function textOfParts(content: unknown, type: 'text' | 'thinking'): string {
  if (!Array.isArray(content)) return '';
  return content
    .filter((part) => isJsonObject(part) && part['type'] === type)
    .map((part: JsonObject) => {
      const text = part[type];
      return typeof text === 'string' ? text : textOfParts(text, 'text');
    })
    .join('');
}
