import type { AgentEvent } from './events';
import type { AgentExecutionResult, RunEvents } from './executionResult';

/**
 * Reads a run to its end and returns its result, which includes errors of the model. `onEvent` gets each event as it comes; what
 * it throws ends the run. Rejects as the run does.
 *
 * ```ts
 * const { outcome, primaryText } = await resultOf(client.run('What is 25 + 17?'));
 * ```
 */
export async function resultOf<Output>(
  run: RunEvents<Output>,
  onEvent?: (event: AgentEvent) => void,
): Promise<AgentExecutionResult<Output>> {
  try {
    for (let next = await run.next(); ; next = await run.next()) {
      if (next.done) return next.value;
      onEvent?.(next.value);
    }
  } catch (error) {
    // Ends the run at once. After an error of its own it has ended.
    await run.return(undefined as never);
    throw error;
  }
}
