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

// A number has a bounded length: without it, a long row of digits costs the square of its length.
const WINDOW: readonly RegExp[] = [
  // LM Studio: "n_keep >= n_ctx: 2152 >= 2048"
  /n_keep >= n_ctx\W{1,3}[\d,]{1,20} >= ([\d,]{1,20})/i,
  // llama.cpp
  /available context size \(?([\d,]{1,20})/i,
  /max context size \(([\d,]{1,20})/i,
  /\bn_ctx\W+([\d,]{1,20})/i,
  // OpenAI, vLLM, SGLang
  /maximum context length (?:is|of) ([\d,]{1,20})/i,
  /maximum model length of ([\d,]{1,20})/i,
  // LM Studio
  /context length of (?:only )?([\d,]{1,20})/i,
  /context (?:window|size|length)(?: is| of|:)?\s*\(?(?:only )?([\d,]{1,20})/i,
  // TabbyAPI
  /max_seq_len\D{0,12}([\d,]{1,20})/i,
  /max sequence length of ([\d,]{1,20})/i,
  // MLC, TensorRT-LLM
  /input length limit ([\d,]{1,20})/i,
  /max_num_tokens \(([\d,]{1,20})/i,
  /total cache allocated is [\d *]{1,40}= ([\d,]{1,20})/i,
  // OpenVINO Model Server, ONNX Runtime
  /exceeds? (?:the )?(?:model(?:.s)? )?max(?:imum)?[ _](?:\w{1,10}[ _])?length\W{1,4}([\d,]{1,20})/i,
  // TGI
  /must be <= ([\d,]{1,20})/i,
  /must have less than ([\d,]{1,20}) tokens/i,
  // gateways
  />\s*([\d,]{1,20}) maximum/i,
  /maximum number of tokens allowed \(?([\d,]{1,20})/i,
];

const PROMPT: readonly RegExp[] = [
  /n_keep >= n_ctx\W{1,3}([\d,]{1,20}) >=/i,
  /\bn_keep\W+([\d,]{1,20})/i,
  /request \(([\d,]{1,20}) tokens/i,
  /\bn_prompt_tokens\W+([\d,]{1,20})/i,
  /\(([\d,]{1,20}) in (?:the )?(?:messages|prompt|input)/i,
  /(?:has|have|contains?|passed) ([\d,]{1,20}) input tokens/i,
  /prompt \(length ([\d,]{1,20})/i,
  /([\d,]{1,20}) tokens from the input/i,
  /input (?:length )?\(([\d,]{1,20})/i,
  /requested tokens \(([\d,]{1,20})/i,
  /given: ([\d,]{1,20}) `?inputs/i,
  /too long: ([\d,]{1,20}) tokens/i,
  /keep the first ([\d,]{1,20}) tokens/i,
  /prompt length (?:is |of )?\(?([\d,]{1,20})/i,
  /input token count \(?([\d,]{1,20})/i,
  /request length ([\d,]{1,20})/i,
  /(?:number of )?prompt(?: tokens)?(?::| is) ([\d,]{1,20})/i,
];

function firstNumber(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]?.replaceAll(',', '');
    if (digits !== undefined && Number(digits) > 0) return Number(digits);
  }
  return undefined;
}
