import type { ContextUse } from '../../agent/view/sessionView';
import { formatTokens, formatWindow } from '../format/tokens';

/** As the core estimates English text and code. */
const CHARACTERS_PER_TOKEN = 4;
/** The share of the window that stays for the answer. */
const ANSWER = 0.1;
/** The share of the window at which earlier messages are summarised. */
const FULL = 0.75;
/** A shorter message, as a share of the window, is not worth a word. */
const SHORT = 0.05;

/**
 * What to know about the size of a message before it is sent; `undefined`: it fits. `window`: the model's context window in
 * tokens. Estimates without the files that the message names.
 */
export function promptFit(draft: string, use: ContextUse | undefined, window: number | undefined): string | undefined {
  if (window === undefined) return undefined;
  const tokens = Math.ceil(draft.trim().length / CHARACTERS_PER_TOKEN);
  const { system = 0, tools = 0 } = use?.sections ?? {};
  const size = `about ${formatTokens(tokens)} tokens`;
  if (tokens + system + tools > window * (1 - ANSWER)) {
    return `This message does not fit: it has ${size}, and the model holds ${formatWindow(window)}. Shorten it, or save it as a file and let the agent read it in parts.`;
  }
  if (tokens < window * SHORT || tokens + (use?.tokens ?? 0) <= window * FULL) return undefined;
  return `This message has ${size}. To make room for it, the model first summarises the oldest messages and results. Shorten it, or start a new session, to avoid this.`;
}
