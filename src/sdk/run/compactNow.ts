import type { AgentErrorInfo } from '../errors';
import type { AgentEvent } from '../events';
import type { RunEnd } from '../executionResult';
import type { AgentLoopParts } from './agentLoop';

/**
 * Lets the model summarise the older part of the conversation. Without a `compaction` event the conversation stays as it is: it
 * would not get shorter, the summary failed, or the run was interrupted.
 */
export async function* compactNow(
  { budget, conversation, request }: Pick<AgentLoopParts, 'budget' | 'conversation' | 'request'>,
  focus: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, RunEnd> {
  const { messages } = conversation;
  if (messages.length === 0) return { outcome: 'completed' };
  const end = yield* budget.compactNow({ ...request, messages }, focus, signal);
  if (end.kind === 'failed') return failed(end.error, signal);
  if (end.kind === 'nothing') return { outcome: signal.aborted ? 'interrupted' : 'completed' };
  conversation.replace(end.messages);
  return { outcome: 'completed', usage: end.usage };
}

function failed(error: AgentErrorInfo, signal: AbortSignal): RunEnd {
  const isInterrupted = signal.aborted || error.code === 'interrupted';
  return isInterrupted ? { outcome: 'interrupted' } : { outcome: 'error', error };
}
