import { AgentError } from '../../sdk/errors';
import type { AgentEvent } from '../../sdk/events';
import type { AgentExecutionResult } from '../../sdk/executionResult';
import type { Signal } from '../../sdk/platform';
import { resultOf } from '../../sdk/resultOf';
import { tool, type Tool } from '../../sdk/tool';
import type { AgentDefinition } from './agentDefinition';
import { createAgentClient, type AgentSetup } from './agentClient';

/** The options of one run of an agent. */
export interface AgentRunOptions extends AgentSetup {
  /** Aborting it ends the run with the outcome `interrupted`. */
  readonly signal?: Signal | undefined;
  /** Gets every event of the run as it happens. What it throws ends the run. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
}

/**
 * Runs an agent on one prompt until its answer. The result has errors of the model too; `structuredOutput` has the type of the
 * agent's `outputSchema`. Throws `invalid_options` as `createAgentClient` does.
 *
 * ```ts
 * const historian = defineAgent({ id: 'historian', prompt: 'You know dates.', outputSchema: Person });
 * const { structuredOutput } = await runAgent(historian, 'Who wrote the first program?', { profiles: [local] });
 * ```
 */
export async function runAgent<Output>(
  agent: AgentDefinition<Output>,
  prompt: string,
  { signal, onEvent, ...setup }: AgentRunOptions,
): Promise<AgentExecutionResult<Output>> {
  await using client = createAgentClient(agent, setup);
  return await resultOf(client.run(prompt, { signal }), onEvent);
}

/**
 * An agent as a tool of another agent. It gets a prompt and returns its answer, and keeps no conversation. Its failure is the
 * result of the call, and the other agent goes on. It cannot wait for an answer of a person. Throws `invalid_options` at once, as
 * `createAgentClient` does.
 */
export function agentTool(agent: AgentDefinition, setup: AgentSetup): Tool {
  void createAgentClient(agent, setup);
  const { id, description = `Ask the agent ${id}.` } = agent;
  return tool(id, description, { prompt: 'string' }, async ({ prompt }, { signal }) => {
    const { error, outcome, structuredOutput, primaryText } = await runAgent(agent, prompt, { ...setup, signal });
    if (error) throw new AgentError(error);
    if (outcome !== 'completed') throw new Error(`The agent ${id} did not finish: ${outcome}.`);
    return structuredOutput ?? primaryText;
  });
}
