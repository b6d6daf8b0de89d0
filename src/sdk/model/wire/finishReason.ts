/**
 * Why a server says that an answer is over. `calls`: its parser found complete tool calls · `length`: a limit was
 * reached, so the rest is missing · `failed`: something stopped the server · `stop`: anything else.
 */
export type FinishReason = 'stop' | 'calls' | 'length' | 'content_filter' | 'failed';

/** Reads `finish_reason`; `undefined` where the answer goes on. KoboldCpp sends the word "null" with every chunk. */
export function readFinishReason(value: unknown): FinishReason | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (NONE.has(word)) return undefined;
  return WORDS.get(word) ?? (LIMIT.test(word) ? 'length' : 'stop');
}

const NONE: ReadonlySet<string> = new Set(['', 'null', 'none', 'nil', 'undefined', 'false']);

/** OpenAI, TGI, Mistral, Anthropic and Gemini through gateways: `length`, `max_tokens`, `model_length`, `MAX_TOKENS`. */
const LIMIT = /length|max_?\w*tokens|token_?limit|context_?(?:window|limit|size)|^limit$/;

const WORDS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries<FinishReason>({
    tool_calls: 'calls',
    tool_call: 'calls',
    tool_use: 'calls',
    function_call: 'calls',
    content_filter: 'content_filter',
    safety: 'content_filter',
    recitation: 'content_filter',
    sensitive: 'content_filter',
    // vLLM and SGLang
    abort: 'failed',
    aborted: 'failed',
    error: 'failed',
    cancelled: 'failed',
    canceled: 'failed',
    interrupted: 'failed',
    timeout: 'failed',
    // DeepSeek, GLM
    insufficient_system_resource: 'failed',
    network_error: 'failed',
  }),
);
