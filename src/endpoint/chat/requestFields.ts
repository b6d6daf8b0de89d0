import { isJsonObject, type JsonObject } from '../../util/json';
import { invalidRequest, type ApiError } from '../http/apiError';

/** The fields that `parseChatRequest` reads. */
const readFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'stop',
  'response_format',
]);

interface Refused {
  /** Returns whether this value has no effect, as if the field were absent. */
  readonly isHarmless: (value: unknown) => boolean;
  /** The reason, and what to do instead. */
  readonly why: string;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const isEmptyObject = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;
const leaveOut = 'this agent uses only its own tools. Leave the field out.';

/** Fields that would change the answer and are not supported. Ignoring them would give a wrong answer. */
const refusedFields: Readonly<Record<string, Refused>> = {
  tools: { isHarmless: isEmptyList, why: leaveOut },
  functions: { isHarmless: isEmptyList, why: leaveOut },
  tool_choice: { isHarmless: (value) => value === 'auto', why: leaveOut },
  function_call: { isHarmless: (value) => value === 'auto', why: leaveOut },
  n: { isHarmless: (value) => value === 1, why: 'each request gets one answer.' },
  logprobs: { isHarmless: (value) => value === false, why: 'it is not supported.' },
  top_logprobs: { isHarmless: (value) => value === 0, why: 'it is not supported.' },
  logit_bias: { isHarmless: isEmptyObject, why: 'it is not supported.' },
  modalities: {
    isHarmless: (value) => Array.isArray(value) && value.every((kind) => kind === 'text'),
    why: 'the agent answers in text.',
  },
  audio: { isHarmless: () => false, why: 'the agent answers in text.' },
  web_search_options: { isHarmless: () => false, why: 'the agent does not search the web.' },
};

/** The error for the first field that asks for something unsupported. */
export function unsupportedField(body: JsonObject): ApiError | undefined {
  for (const [name, { isHarmless, why }] of Object.entries(refusedFields)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined || value === null || isHarmless(value)) continue;
    return invalidRequest(`${name}: ${why}`, { code: 'unsupported_parameter', param: name });
  }
  return undefined;
}

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;

/**
 * The names of all other fields: bookkeeping (`user`, `metadata`, `store`) and unknown ones. Shortened and escaped for
 * a log.
 */
export function fieldsPassedOver(body: JsonObject): readonly string[] {
  return Object.keys(body)
    .filter((name) => !readFields.has(name) && !Object.hasOwn(refusedFields, name))
    .filter((name) => body[name] !== null)
    .slice(0, MAX_NAMES)
    .map((name) => name.slice(0, MAX_NAME_LENGTH).replace(/[^\w.-]/g, '?'));
}
