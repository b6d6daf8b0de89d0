import { AgentError } from '../errors';
import type { Message } from '../messages';
import { newestThatFit, splitUnits } from './messageUnits';
import { estimateMessageTokens } from './tokenCount';

export interface TruncateOptions {
  /** Keep about this many tokens of messages. */
  readonly maxTokens?: number | undefined;
  /** Keep at most this many messages, tool results counted. */
  readonly maxMessages?: number | undefined;
  /** How many tokens messages are; an estimate by default. */
  readonly countTokens?: ((messages: readonly Message[]) => number) | undefined;
}

/**
 * The newest messages of a history, as a history that can be sent: calls stay with their results, and it begins with a
 * user message, the one its first turn answers. The newest message is always kept, so the result may be longer than was
 * asked for. The given list is not changed. Throws `invalid_options` without a limit.
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

/** The question goes before what is left of its answer. */
function startedByUser(all: readonly Message[], kept: readonly Message[]): Message[] {
  if (kept[0]?.role === 'user') return [...kept];
  const question = all.slice(0, all.length - kept.length).findLast(({ role }) => role === 'user');
  return question ? [question, ...kept] : [...kept];
}
