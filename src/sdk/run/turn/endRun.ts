import { errorInfoOf } from '../../errors';
import type { AgentEvent } from '../../events';
import { executionResult, type AgentExecutionResult, type RunEnd } from '../../executionResult';
import { parseWaitingRun } from '../../waiting/parseWaitingRun';
import { waitingRun, type WaitingRun } from '../../waiting/waitingRun';
import type { Conversation } from '../conversation';
import { settleOpenCalls } from '../toolCalls/callResults';

/** Tells the end of a run and makes its result. A run whose saved form could not be read again does not wait, but fails. */
export function* endRun<Output>(
  given: RunEnd,
  conversation: Conversation,
): Generator<AgentEvent, AgentExecutionResult<Output>> {
  let end = given;
  let saved: WaitingRun | undefined;
  try {
    if (end.waiting) saved = parseWaitingRun(waitingRun(end.waiting, conversation.messages));
  } catch (error) {
    yield* settleOpenCalls(conversation, 'The run could not wait for an answer. The call was not executed.');
    end = { ...end, outcome: 'error', error: errorInfoOf(error), waiting: undefined };
  }
  const { outcome, error, waiting } = end;
  yield { type: 'run_end', outcome, ...(error ? { error } : {}), ...(waiting ? { waiting } : {}) };
  return executionResult(end, conversation.messages, saved);
}
