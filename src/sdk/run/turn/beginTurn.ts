import type { AgentEvent } from '../../events';
import type { UserContent } from '../../messages';
import type { AgentLoopParts } from '../agentLoop';
import { settleOpenCalls } from '../toolCalls/callResults';
import { addUserMessage, bridges } from './userMessages';

type TurnParts = Pick<AgentLoopParts, 'conversation' | 'steering'>;

/** Adds a prompt to the history, after the messages of `steer` that came too late for the run before. */
export function* beginTurn(parts: TurnParts, prompt: UserContent): Generator<AgentEvent> {
  yield* closeTurn(parts);
  yield* addUserMessage(parts.conversation, prompt, 'prompt', bridges.stopped);
}

/** Makes the history one that a model can answer, without a prompt. After an assistant message it adds a short user message. */
export function* continueTurn(parts: TurnParts): Generator<AgentEvent> {
  if (yield* closeTurn(parts)) return;
  if (parts.conversation.last?.role !== 'assistant') return;
  yield* addUserMessage(parts.conversation, 'Continue.', 'prompt', bridges.stopped);
}

/** Gives every open call a result. Returns whether a message of `steer` was waiting, which is added. */
function* closeTurn({ conversation, steering }: TurnParts): Generator<AgentEvent, boolean> {
  yield* settleOpenCalls(conversation, 'No result was given for this call: the conversation went on without it.');
  const message = steering.take();
  if (message === undefined) return false;
  yield* addUserMessage(conversation, message, 'steer', bridges.stopped);
  return true;
}
