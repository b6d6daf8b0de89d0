import type { AgentEvent } from '../events';
import type { AssistantMessage, ToolUseBlock } from '../messages';
import type { Conversation } from './conversation';
import { failedCall, isCall, type Call } from './toolCalls/call';
import type { FinishedBlock } from './modelStep';
import type { RunCallsParts } from './toolCalls/runCallsParts';
import { prepareCall, type RefusedCall } from './toolCalls/toolRunner';

export interface OfferedCalls {
  readonly refused: ReadonlyMap<Call, RefusedCall>;
  /** The message with the inputs that the caller got. */
  readonly message: AssistantMessage;
}

/**
 * Manual mode: the hooks see a call before the caller does. The caller gets the call with the input that the hooks left,
 * or the reason why it is refused. The history gets the same input first, because the caller may answer at once.
 */
export async function* offerCalls(
  {
    tools,
    openToolCalls,
    conversation,
  }: Pick<RunCallsParts, 'tools' | 'openToolCalls'> & { readonly conversation: Conversation },
  heldBlocks: readonly FinishedBlock[],
  { message: given, signal }: { readonly message: AssistantMessage; readonly signal: AbortSignal },
): AsyncGenerator<AgentEvent, OfferedCalls> {
  const refused = new Map<Call, RefusedCall>();
  const remaining = given.content.filter(isCall);
  let message = given;
  for (const { block, content } of heldBlocks) {
    const call = isCall(content) ? remaining.shift() : undefined;
    if (call?.type !== 'tool_use') {
      yield { type: 'block_end', block, content };
      continue;
    }
    const prepared = await prepareCall(tools, call, openToolCalls.signalOf(call.id) ?? signal);
    if (prepared.ok) {
      const offered = { ...call, input: prepared.input };
      const changed = { ...message, content: message.content.map((part) => (part === call ? offered : part)) };
      conversation.changeMessage(message, changed);
      message = changed;
      yield { type: 'block_end', block, content: offered };
    } else {
      const refusal = prepared.outcome === 'waiting' ? cannotWait(call) : prepared;
      refused.set(call, refusal);
      yield { type: 'block_end', block, content: failedCall(call, refusal.error) };
    }
  }
  return { refused, message };
}

/** Here the caller runs the tools, so the caller can wait. */
function cannotWait({ input }: ToolUseBlock): RefusedCall {
  const error =
    'The call was denied. Nothing was changed. Reason: a PreToolUse hook waits for an answer, which only automatic runs can.';
  return { ok: false, input, outcome: 'denied', error };
}
