import type { AgentEvent } from '../../events';
import type { WaitingAnswers } from '../../waiting/waitingAnswers';
import type { StepEnd, StepParts } from '../stepEnd';
import { idOf, isCall } from './call';
import { endOf, runCalls } from './runCalls';

/**
 * Runs the calls at the end of the history that have no result. All of them are prepared and put to the hooks again. The
 * answers hold for these calls only, and not for later ones of the run.
 */
export async function* runResumedCalls(
  parts: StepParts,
  answers: WaitingAnswers,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, StepEnd> {
  const { conversation, openToolCalls, tools } = parts;
  const open = new Set(conversation.openCalls.map(({ id }) => id));
  const message = conversation.messages.findLast(({ role }) => role === 'assistant');
  const content = message?.role === 'assistant' ? message.content : [];
  const calls = content.filter(isCall).filter((call) => open.has(idOf(call)));
  openToolCalls.open(calls.map(idOf), signal);
  const ended = yield* runCalls({ ...parts, tools: { ...tools, answers } }, calls, new Map(), signal);
  return { stopReason: 'tool_use', calls, ...endOf(ended) };
}
