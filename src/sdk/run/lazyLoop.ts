import type { AgentEvent } from '../events';
import type { RunEnd } from '../executionResult';
import type { AgentLoopParts, LoopStart } from './agentLoop';

/** See `agentLoop`. It is large, so the first run loads it. */
export async function* lazyLoop(
  parts: AgentLoopParts,
  start: LoopStart,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, RunEnd> {
  const { agentLoop } = await import('./agentLoop');
  return yield* agentLoop(parts, start, signal);
}
