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
    calls: Array.isArray(calls) ? calls.filter(isJsonObject) : [calls, legacyCall].filter(isJsonObject).slice(0, 1),
    finishReason: readReason(
      choice['finish_reason'],
      body['finish_reason'],
      chunk['finish_reason'],
      choice['stop_reason'],
    ),
    isWhole: !delta && message !== undefined,
  };
}

/** The first reason. Gateways put it beside the choices, into the piece, or under the name that Anthropic uses. */
function readReason(...values: readonly unknown[]): FinishReason | undefined {
  for (const value of values) {
    const reason = readFinishReason(isJsonObject(value) ? (value['type'] ?? value['reason']) : value);
    if (reason !== undefined) return reason;
  }
  return undefined;
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
  const choices = chunk['choices'];
  const [choice] = Array.isArray(choices) ? choices : [];
  // Moonshot puts it into the choice.
  const usage = chunk['usage'] ?? (isJsonObject(choice) ? choice['usage'] : undefined);
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = isJsonObject(usage) ? usage : {};
  if (isJsonObject(usage) && isCount(promptTokens) && isCount(completionTokens)) {
    // All zero: nothing was counted.
    if (promptTokens + completionTokens === 0) return undefined;
    const details = usage['prompt_tokens_details'];
    const cachedTokens = isJsonObject(details) ? details['cached_tokens'] : undefined;
    return isCount(cachedTokens)
      ? { promptTokens, completionTokens, cachedTokens }
      : { promptTokens, completionTokens };
  }
  const timings = chunk['timings'];
  if (!isJsonObject(timings)) return undefined;
  const { cache_n: cached, prompt_n: read, predicted_n: predicted } = timings;
  if (!isCount(cached) || !isCount(read) || !isCount(predicted)) return undefined;
  return { promptTokens: cached + read, completionTokens: predicted, cachedTokens: cached };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
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

/** The JSON of an error in the place of a chunk, perhaps without a name around it; `undefined` for any other chunk. */
export function readError(chunk: JsonObject): string | undefined {
  const error = chunk['error'];
  const isError =
    (error !== undefined && error !== null && error !== false && error !== '') ||
    chunk['object'] === 'error' ||
    (chunk['choices'] === undefined && (chunk['detail'] !== undefined || isBareError(chunk)));
  return isError ? JSON.stringify(chunk) : undefined;
}

function isBareError({ type, code, status, message }: JsonObject): boolean {
  if (type === 'error' || status === 'error') return true;
  const isNumber = [code, status].some((number) => typeof number === 'number' && number >= 400);
  return typeof message === 'string' && (isNumber || (typeof type === 'string' && /error|exception/i.test(type)));
}

/** Servers that send several of these fields repeat the same text. `reasoning_details`: MiniMax, and gateways. */
function readThinking(body: JsonObject): string {
  const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details: details } = body;
  const text = firstText(reasoning_content, reasoning, reasoning_text, thinking);
  if (text !== '' || !Array.isArray(details)) return text;
  return details.map((part) => (isJsonObject(part) ? firstText(part['text'], part['summary']) : '')).join('');
}

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
