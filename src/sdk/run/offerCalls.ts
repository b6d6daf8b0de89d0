import type { AgentEvent } from '../events';
import { failedCall, isCall, type Call } from './toolCalls/call';
import type { FinishedBlock } from './modelStep';
import type { RunCallsParts } from './toolCalls/runCalls';
import { prepareCall, type RefusedCall } from './toolCalls/toolRunner';

/**
 * Manual mode: the hooks see a call before the caller does. The caller gets the call with the input that the hooks left,
 * or the reason why it is refused. Returns the refused calls.
 */
export async function* offerCalls(
  { tools, openToolCalls }: Pick<RunCallsParts, 'tools' | 'openToolCalls'>,
  heldBlocks: readonly FinishedBlock[],
  calls: readonly Call[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ReadonlyMap<Call, RefusedCall>> {
  const refused = new Map<Call, RefusedCall>();
  const remaining = [...calls];
  for (const { block, content } of heldBlocks) {
    const call = isCall(content) ? remaining.shift() : undefined;
    if (call?.type !== 'tool_use') {
      yield { type: 'block_end', block, content };
      continue;
    }
    const prepared = await prepareCall(tools, call, openToolCalls.signalOf(call.id) ?? signal);
    if (!prepared.ok) refused.set(call, prepared);
    const offered = prepared.ok ? { ...call, input: prepared.input } : failedCall(call, prepared.error);
    yield { type: 'block_end', block, content: offered };
  }
  return refused;
}
