import { isJsonObject, type JsonObject } from '../../../util/json';
import type { PromptProgress } from '../../events';
import type { Usage } from '../../messages';
import { readFinishReason, type FinishReason } from './finishReason';
import { bodiesIn, objectsIn, textOfParts } from './looseShapes';

/** The content of a chunk or a whole completion. Servers may omit every field. */
export interface Chunk {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly JsonObject[];
  readonly finishReason: FinishReason | undefined;
  /** Whether it has a message, not a delta: mostly the whole answer. */
  readonly isWhole: boolean;
  /** Whether it says that there is no reason yet, so that more follows. */
  readonly isOpen: boolean;
}

/** Reads the first choice of a chunk; `undefined` when it has none. Its pieces may come as several entries of that choice. */
export function readChoice(chunk: JsonObject): Chunk | undefined {
  const choices = chunk['choices'];
  if (Array.isArray(choices) && choices.length === 1) {
    const [choice] = choices;
    return isFirstChoice(choice) ? readEntry(choice, chunk) : undefined;
  }
  const [first, ...others] = objectsIn(choices).filter(isFirstChoice);
  if (first === undefined) return undefined;
  // Whole messages beside each other are answers to choose from.
  const pieces = others.filter((choice) => choice['index'] === first['index'] && choice['message'] === undefined);
  return joined([first, ...pieces].map((choice) => readEntry(choice, chunk)));
}

/** Whether a chunk has anything in the place of the choices. */
export function hasChoice(chunk: JsonObject): boolean {
  return objectsIn(chunk['choices']).length > 0;
}

function readEntry(choice: JsonObject, chunk: JsonObject): Chunk {
  const { delta, message } = choice;
  // Every chunk of most streams comes here.
  if (isJsonObject(delta) && message === undefined) return readBody(delta, choice, chunk, false);
  const isEmpty = isJsonObject(delta)
    ? Object.keys(delta).length === 0
    : delta === '{}' && readReason(choice['finish_reason']) !== undefined;
  const read = (bodies: readonly JsonObject[], isWhole: boolean): Chunk | undefined =>
    joined(bodies.map((body) => readBody(body, choice, chunk, isWhole)));
  const piece = isEmpty ? undefined : read(bodiesIn(delta), false);
  return piece ?? read(bodiesIn(message), true) ?? readBody(choice, choice, chunk, false);
}

function readBody(body: JsonObject, choice: JsonObject, chunk: JsonObject, isWhole: boolean): Chunk {
  const content = body['content'] ?? body['text'] ?? body['refusal'];
  const reason = choice['finish_reason'];
  return {
    text: typeof content === 'string' ? content : textOfParts(content, 'text'),
    thinking: readThinking(body) || textOfParts(content, 'thinking'),
    calls: callsIn(body['tool_calls'] ?? choice['tool_calls'], body['function_call']),
    finishReason: readReason(reason, body['finish_reason'], chunk['finish_reason'], choice['stop_reason']),
    isWhole,
    isOpen: reason === null,
  };
}

/** `legacyCall`: the one call of old servers. */
function callsIn(calls: unknown, legacyCall: unknown): readonly JsonObject[] {
  if (Array.isArray(calls) && calls.length > 0 && calls.every(isJsonObject)) return calls;
  const found = calls === undefined ? NO_CALLS : objectsIn(calls);
  return found.length === 0 && isJsonObject(legacyCall) ? [legacyCall] : found;
}

const NO_CALLS: readonly JsonObject[] = [];

function joined(chunks: readonly Chunk[]): Chunk | undefined {
  const [first] = chunks;
  if (first === undefined || chunks.length === 1) return first;
  return {
    ...first,
    text: chunks.map(({ text }) => text).join(''),
    thinking: chunks.map(({ thinking }) => thinking).join(''),
    calls: chunks.flatMap(({ calls }) => calls),
    finishReason: chunks.findLast(({ finishReason }) => finishReason !== undefined)?.finishReason,
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

function isFirstChoice(choice: unknown): choice is JsonObject {
  return isJsonObject(choice) && (choice['index'] === 0 || typeof choice['index'] !== 'number');
}

function firstText(...values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}
