import type { AgentErrorInfo } from '../errors';

/** A prompt of this share of the window leaves too little for an answer. */
const FILLED_SHARE = 0.9;

/** The same for an estimate, which may be too low. */
const FILLED_SHARE_BY_ESTIMATE = 0.7;

export interface PromptLength {
  /** In tokens. */
  readonly tokens: number;
  /** `false`: the server has counted. */
  readonly isEstimate: boolean;
}

/** Whether a prompt is so long that it explains an answer without a word. */
export function fillsWindow({ tokens, isEstimate }: PromptLength, contextWindow: number): boolean {
  return tokens >= contextWindow * (isEstimate ? FILLED_SHARE_BY_ESTIMATE : FILLED_SHARE);
}

/** The error for an answer without a word after a prompt that fills the window. */
export function filledWindowError(
  model: string,
  { tokens, isEstimate }: PromptLength,
  contextWindow: number,
): AgentErrorInfo {
  const about = isEstimate ? 'about ' : '';
  const message =
    `The answer of ${model} is empty, and the prompt takes ${about}${tokens} of the ${contextWindow} tokens of the ` +
    'context window. Load the model with a larger context window, or start a new conversation.';
  const counted = isEstimate ? {} : { promptTokens: tokens };
  return { code: 'context_overflow', message, contextLimit: contextWindow, ...counted };
}
