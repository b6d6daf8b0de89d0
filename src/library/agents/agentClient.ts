import { usableTools } from '../../agent/configuration/toolFilter';
import { Client } from '../../sdk/client';
import type { ClientOptions } from '../../sdk/clientOptions';
import type { AgentOptions } from '../../sdk/configuration/agentOptions';
import { resolveProfile, type LlmProfile, type ProfileOverrides } from '../../sdk/configuration/profiles';
import { AgentError } from '../../sdk/errors';
import type { Tool } from '../../sdk/tool';
import type { AgentDefinition } from './agentDefinition';

/** Where an agent runs: the profiles with their servers, the tools that there are, and options of this run. */
export interface AgentSetup extends Omit<
  AgentOptions,
  'systemPrompt' | 'baseUrl' | 'model' | 'outputSchema' | 'allowedTools' | 'disallowedTools' | 'autoExecuteTools'
> {
  /** The agent uses the profile that it names, or else the first one. */
  readonly profiles: readonly LlmProfile[];
  /** The tools to choose from. Those of MCP servers have a `server`. */
  readonly tools?: readonly (Tool & { readonly server?: string | undefined })[] | undefined;
  /** Instead of the agent's model. */
  readonly model?: string | undefined;
}

/**
 * A client for conversations with an agent, in automatic mode. The setup wins over the definition, which wins over the
 * profile. Throws `invalid_options` for an unknown profile, and for the name of an unknown tool.
 */
export function createAgentClient<Output>(agent: AgentDefinition<Output>, setup: AgentSetup): Client<Output> {
  return new Client<Output>(optionsOf(agent, setup));
}

function optionsOf<Output>(agent: AgentDefinition<Output>, setup: AgentSetup): ClientOptions<Output> {
  const { profiles, tools = [], ...rest } = setup;
  const profile = profileOf(agent, profiles);
  const { temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody, model } = setup;
  const sampling = { temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody, model };
  const resolved = resolveProfile(profile, overridesOf(agent), sampling);
  const { maxToolIterations, maxTurns, outputSchema } = agent;
  const limits = { maxToolIterations, maxTurns };
  return {
    ...set(limits),
    ...set(rest),
    ...resolved,
    tools,
    allowedTools: usableTools(tools, agent, agent.id),
    ...(outputSchema && { outputSchema }),
    autoExecuteTools: true,
  };
}

function profileOf({ id, profile }: AgentDefinition, profiles: readonly LlmProfile[]): LlmProfile {
  const found = profile === undefined ? profiles[0] : profiles.find((candidate) => candidate.id === profile);
  if (found) return found;
  const known = profiles.map((candidate) => candidate.id).join(', ');
  const why = profile === undefined ? 'there is no profile' : `there is no profile "${profile}", only: ${known}`;
  throw new AgentError({ code: 'invalid_options', message: `Agent "${id}": profile: ${why}.` });
}

function overridesOf(agent: AgentDefinition): ProfileOverrides {
  const { prompt, model, temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody } = agent;
  return { systemPrompt: prompt, model, temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody };
}

/** The fields that are set: others leave those before them as they are. */
function set<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
