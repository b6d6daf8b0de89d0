/** The numbers in a server's error about a prompt that does not fit. */
export interface ContextLimit {
  /** Size of the context window, in tokens. */
  readonly contextWindow?: number | undefined;
  /** Length of the prompt in tokens, without the room for an answer. */
  readonly promptTokens?: number | undefined;
}

/** Reads the numbers out of the server's message. Each wording is that of the server named beside it. */
export function readContextLimit(message: string): ContextLimit {
  const contextWindow = firstNumber(message, WINDOW);
  const promptTokens = firstNumber(message, PROMPT);
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(promptTokens !== undefined && { promptTokens }),
  };
}

const WINDOW: readonly RegExp[] = [
  // llama.cpp
  /available context size \(?([\d,]+)/i,
  /\bn_ctx\W+([\d,]+)/i,
  // OpenAI, vLLM, SGLang
  /maximum context length (?:is|of) ([\d,]+)/i,
  /maximum model length of ([\d,]+)/i,
  // LM Studio
  /context length of (?:only )?([\d,]+)/i,
  /context (?:window|size|length)(?: is| of|:)?\s*\(?(?:only )?([\d,]+)/i,
  // TabbyAPI
  /max_seq_len\D{0,12}([\d,]+)/i,
  // TGI
  /must be <= ([\d,]+)/i,
  /must have less than ([\d,]+) tokens/i,
  // gateways
  />\s*([\d,]+) maximum/i,
  /maximum number of tokens allowed \(?([\d,]+)/i,
];

const PROMPT: readonly RegExp[] = [
  /request \(([\d,]+) tokens/i,
  /\bn_prompt_tokens\W+([\d,]+)/i,
  /\(([\d,]+) in (?:the )?(?:messages|prompt|input)/i,
  /(?:has|have|contains?|passed) ([\d,]+) input tokens/i,
  /prompt \(length ([\d,]+)/i,
  /([\d,]+) tokens from the input/i,
  /input (?:length )?\(([\d,]+)/i,
  /requested tokens \(([\d,]+)/i,
  /given: ([\d,]+) `?inputs/i,
  /too long: ([\d,]+) tokens/i,
  /keep the first ([\d,]+) tokens/i,
  /prompt length (?:is |of )?([\d,]+)/i,
  /input token count \(?([\d,]+)/i,
];

function firstNumber(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]?.replaceAll(',', '');
    if (digits !== undefined && Number(digits) > 0) return Number(digits);
  }
  return undefined;
}
