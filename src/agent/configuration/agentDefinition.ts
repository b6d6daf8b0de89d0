import * as z from 'zod';
import { agentFields } from '../../sdk/configuration/agentFields';
import { AgentError } from '../../sdk/errors';
import { parseNamed } from '../../sdk/configuration/parseNamed';
import { parseProfile, type LlmProfile } from '../../sdk/configuration/profiles';
import { settableModes } from '../view/permissionModes';

const AgentDefinitionSchema = z.strictObject({
  ...agentFields(),
  permissionMode: z.enum(settableModes).optional(),
  /** `false`: the model does not get the conversation before the prompt. */
  includeHistory: z.boolean().optional(),
});

/** A named agent: its prompt, profile, tools and limits. */
export type AgentDefinition = Readonly<z.infer<typeof AgentDefinitionSchema>>;

/**
 * Parses the profiles of the settings. A problem names the profile and every wrong field; the other profiles are used.
 */
export function parseProfiles(value: unknown): {
  readonly profiles: readonly LlmProfile[];
  readonly problems: readonly string[];
} {
  const { items, problems } = parseList('profiles', value, parseProfile);
  return { profiles: items, problems };
}

/**
 * Parses the agents of the settings, likewise. Leaves out an agent whose profile is missing: it could use another
 * server.
 */
export function parseAgents(
  value: unknown,
  profiles: readonly LlmProfile[],
): { readonly agents: readonly AgentDefinition[]; readonly problems: readonly string[] } {
  const { items, problems } = parseList('agents', value, (item) => {
    const agent = parseNamed('Agent', AgentDefinitionSchema, item);
    if (agent.profile !== undefined && profiles.every(({ id }) => id !== agent.profile)) {
      throw invalid(`Agent "${agent.id}": profile: there is no usable profile "${agent.profile}".`);
    }
    return agent;
  });
  return { agents: items, problems };
}

function parseList<T extends { readonly id: string }>(
  setting: string,
  value: unknown,
  parse: (item: unknown) => T,
): { readonly items: readonly T[]; readonly problems: readonly string[] } {
  if (value === undefined || value === null) return { items: [], problems: [] };
  if (!Array.isArray(value)) return { items: [], problems: [`${setting} must be a list.`] };
  const items: T[] = [];
  const problems: string[] = [];
  for (const item of value as readonly unknown[]) {
    try {
      const parsed = parse(item);
      if (items.some(({ id }) => id === parsed.id)) throw invalid(`${setting}: two are called "${parsed.id}".`);
      items.push(parsed);
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      problems.push(error.message);
    }
  }
  return { items, problems };
}

function invalid(message: string): AgentError {
  return new AgentError({ code: 'invalid_options', message });
}
