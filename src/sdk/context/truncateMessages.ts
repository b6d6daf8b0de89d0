import { AgentError } from '../errors';
import type { Message } from '../messages';
import { newestThatFit, splitUnits } from './messageUnits';
import { estimateMessageTokens } from './tokenCount';

/** How much `truncateMessages` keeps. With both limits, both hold. */
export interface TruncateOptions {
  /** Keep about this many tokens of messages. */
  readonly maxTokens?: number | undefined;
  /** Keep at most this many messages, including tool results. */
  readonly maxMessages?: number | undefined;
  /** Counts the tokens of messages. Default: an estimate. */
  readonly countTokens?: ((messages: readonly Message[]) => number) | undefined;
}

/**
 * The newest messages of a history, as a valid history: calls keep their results, and the user message of the first
 * turn comes first. The newest message is always kept, so the result may exceed the limit. Does not change the given
 * list. Throws `invalid_options` without a limit.
 */
export function truncateMessages(messages: readonly Message[], options: TruncateOptions): Message[] {
  const { maxTokens, maxMessages, countTokens = estimateMessageTokens } = options;
  if (maxTokens === undefined && maxMessages === undefined) {
    throw new AgentError({ code: 'invalid_options', message: 'truncateMessages: set maxTokens or maxMessages.' });
  }
  const fits = (list: readonly Message[]): boolean =>
    (maxMessages === undefined || list.length <= maxMessages) &&
    (maxTokens === undefined || countTokens(list) <= maxTokens);
  if (fits(messages)) return [...messages];
  const units = splitUnits(messages);
  let kept = Math.min(
    newestThatFit(units, maxTokens ?? Infinity, countTokens),
    newestThatFit(units, maxMessages ?? Infinity, (unit) => unit.length),
  );
  let result = startedByUser(messages, units.slice(-kept).flat());
  while (kept > 1 && !fits(result)) {
    kept -= 1;
    result = startedByUser(messages, units.slice(-kept).flat());
  }
  return result;
}

/** Puts the user message of the turn before the rest of it. */
function startedByUser(all: readonly Message[], kept: readonly Message[]): Message[] {
  if (kept[0]?.role === 'user') return [...kept];
  const question = all.slice(0, all.length - kept.length).findLast(({ role }) => role === 'user');
  return question ? [question, ...kept] : [...kept];
}
