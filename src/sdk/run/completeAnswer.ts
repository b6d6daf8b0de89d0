import type { AgentEvent } from '../events';
import type { FinalResponse } from '../executionResult';
import type { AssistantMessage } from '../messages';
import { cutCallOf } from './cutCall';
import { isEmptyAnswer } from './finalAnswer';
import { idOf, isCall } from './toolCalls/call';
import type { CompleteResponse } from './modelStep';
import { offerCalls } from './offerCalls';
import { endOf, runCalls } from './toolCalls/runCalls';
import { responseEvents, type StepEnd, type StepParts } from './stepEnd';
import * as l10n from '../../util/l10n';

/**
 * Adds a complete response to the history, then runs its tool calls or, in manual mode, offers them to the caller. An empty
 * response is not added, so that the same prompt can be sent again.
 */
export async function* takeCompleteAnswer(
  parts: StepParts,
  { response, heldBlocks }: CompleteResponse,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, StepEnd> {
  const { content, stopReason, usage, responseId: id, model } = response;
  if (isEmptyAnswer(response)) {
    for (const held of heldBlocks) yield { type: 'block_end', ...held };
    if (usage) yield { type: 'usage', usage };
    return { stopReason, finalResponse: { id, model, stopReason, content }, usage, calls: [] };
  }
  const written: AssistantMessage = { role: 'assistant', content, stopReason };
  const calls = content.filter(isCall);
  parts.openToolCalls.open(calls.map(idOf), signal);
  parts.conversation.addAssistant(written);
  const offered = parts.autoExecuteTools
    ? undefined
    : yield* offerCalls(parts, heldBlocks, { message: written, signal });
  const message = offered?.message ?? written;
  const finalResponse: FinalResponse = { id, model, stopReason, content: message.content };
  if (!offered) for (const held of heldBlocks) yield { type: 'block_end', ...held };
  yield* responseEvents(message, finalResponse, usage);
  const cutCall = cutCallOf(response);
  if (stopReason === 'length' && !cutCall) {
    const text = l10n.t('The answer of {0} reached its length limit. Raise maxTokens, or continue.', model);
    yield { type: 'warning', code: 'incomplete_response', message: text };
  }
  const ended = yield* runCalls(parts, calls, offered?.refused ?? new Map(), signal);
  return { stopReason, finalResponse, usage, calls, cutCall, ...endOf(ended) };
}

/**
 * Drops a response that a small limit of the server's own ended, so that the step is repeated. The next request says how
 * long the answer may be.
 */
export function* dropLimitedAnswer({ response, heldBlocks }: CompleteResponse): Generator<AgentEvent, StepEnd> {
  const { model, usage } = response;
  for (const held of heldBlocks) yield { type: 'block_end', ...held };
  if (usage) yield { type: 'usage', usage };
  const message = usage
    ? l10n.t(
        'The server ended the answer of {0} after {1} tokens, at a limit of its own. The model is asked again, with all the room that is left.',
        model,
        usage.completionTokens,
      )
    : l10n.t(
        'The server ended the answer of {0}, at a limit of its own. The model is asked again, with all the room that is left.',
        model,
      );
  yield { type: 'warning', code: 'sampled_again', message };
  return { stopReason: 'incomplete', calls: [], usage, mayTryAgain: true };
}
