import type { AgentEvent } from '../events';
import type { FinalResponse } from '../executionResult';
import type { AssistantMessage } from '../messages';
import { explainUnreadable, isUnreadableOutput } from '../model/errors/unreadableOutput';
import { failedCall } from './toolCalls/call';
import { takeCompleteAnswer } from './completeAnswer';
import type { CompleteResponse, CutResponse } from './modelStep';
import { responseEvents, type StepEnd, type StepParts } from './stepEnd';
import * as l10n from '../../util/l10n';

/** What may be asked again: an unreadable response, and one that ended because the server was full or gone. */
export interface TryAgain {
  readonly mayTryAgain: boolean;
  readonly mayWait: boolean;
}

/**
 * Ends the step of a response that was cut off. Its text stays in the history, and its calls are not executed. With
 * `mayTryAgain` a response that the server could not read is dropped instead, and the step may be repeated. With `mayWait`
 * likewise one for which the server had no room, or whose connection broke.
 */
export async function* takeCutAnswer(
  parts: StepParts,
  cut: CutResponse,
  signal: AbortSignal,
  options: TryAgain,
): AsyncGenerator<AgentEvent, StepEnd> {
  const { stopReason, error, kept, heldBlocks, response } = cut;
  const saved = signal.aborted || !parts.autoExecuteTools ? undefined : completeCalls(cut);
  if (saved) {
    yield {
      type: 'warning',
      code: 'incomplete_response',
      message: l10n.t('{0} The tool calls before that were complete, so they count.', error.message),
    };
    return yield* takeCompleteAnswer(parts, saved, signal);
  }
  for (const { block, content } of heldBlocks) {
    const isCall = content.type === 'tool_use';
    yield { type: 'block_end', block, content: isCall ? failedCall(content, NOT_EXECUTED) : content };
  }
  const isUnreadable = !signal.aborted && isUnreadableOutput(error);
  // In manual mode the caller has read the blocks already.
  const mayDrop = parts.autoExecuteTools || (kept.length === 0 && heldBlocks.length === 0);
  if (isUnreadable && options.mayTryAgain && mayDrop) {
    yield { type: 'warning', code: 'sampled_again', message: l10n.t('{0} The model is asked again.', error.message) };
    return { stopReason: 'incomplete', calls: [], mayTryAgain: true, isUnreadable: true };
  }
  const isWaitedFor = error.code === 'server_full' || error.code === 'server_gone';
  if (!signal.aborted && isWaitedFor && options.mayWait && mayDrop) {
    yield { type: 'warning', code: 'sampled_again', message: l10n.t('{0} The answer begins again.', error.message) };
    return { stopReason: 'incomplete', calls: [], mayTryAgain: true, hasWaited: true };
  }
  const usage = response?.usage;
  const named = { id: response?.responseId ?? '', model: response?.model ?? '', stopReason };
  let finalResponse: FinalResponse | undefined;
  if (kept.length > 0) {
    const message: AssistantMessage = { role: 'assistant', content: kept, stopReason };
    parts.conversation.addAssistant(message);
    finalResponse = { ...named, content: kept };
    yield* responseEvents(message, finalResponse, usage);
  } else {
    // It broke before its text or within a call. The server's log has its id.
    if (response && stopReason === 'incomplete') finalResponse = { ...named, content: [] };
    if (usage) yield { type: 'usage', usage };
  }
  const ended = { stopReason, finalResponse, usage, calls: [] };
  if (stopReason === 'interrupted') return { ...ended, end: { outcome: 'interrupted' } };
  const reason = isUnreadable ? explainUnreadable(error) : error;
  if (kept.length > 0) yield { type: 'warning', code: 'incomplete_response', message: reason.message };
  return { ...ended, end: { outcome: 'error', error: reason } };
}

/** The response with the calls that are complete, although the server could not read what its model wrote after them. */
function completeCalls({ readable, heldBlocks, response, error }: CutResponse): CompleteResponse | undefined {
  if (error.code === 'interrupted' || !readable?.some(({ type }) => type === 'tool_use')) return undefined;
  const { responseId = '', model = '', usage } = response ?? {};
  const whole = { responseId, model, content: readable, stopReason: 'tool_use' as const, ...(usage && { usage }) };
  return { kind: 'complete', response: whole, heldBlocks };
}

const NOT_EXECUTED = 'The answer was cut off, so this call was not executed.';
