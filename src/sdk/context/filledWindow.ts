import type { AgentErrorInfo } from '../errors';
import * as l10n from '../../util/l10n';

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
  const message = isEstimate
    ? l10n.t(
        'The answer of {0} is empty, and the prompt takes about {1} of the {2} tokens of the context window. Load the model with a larger context window, or start a new conversation.',
        model,
        tokens,
        contextWindow,
      )
    : l10n.t(
        'The answer of {0} is empty, and the prompt takes {1} of the {2} tokens of the context window. Load the model with a larger context window, or start a new conversation.',
        model,
        tokens,
        contextWindow,
      );
  const counted = isEstimate ? {} : { promptTokens: tokens };
  return { code: 'context_overflow', message, contextLimit: contextWindow, ...counted };
}
