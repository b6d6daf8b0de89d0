import * as z from 'zod';
import { AgentError } from '../../sdk/errors';
import { optionalSampling, parseNamed, parseProfile, type LlmProfile } from '../../sdk/configuration/profiles';
import { permissionModes } from '../view/permissionModes';

const names = z.array(z.string().min(1)).readonly();

const AgentDefinitionSchema = z.strictObject({
  id: z.string().min(1).max(100),
  /** For people, where they choose. */
  description: z.string().optional(),
  /** Stands at the end of the system prompt, in the place of the profile's and the settings' own text. */
  prompt: z.string().optional(),
  /** The id of the profile it works with. */
  profile: z.string().min(1).optional(),
  /** Instead of the profile's model. */
  model: z.string().min(1).optional(),
  /** Only these tools; absent: all. */
  includeTools: names.optional(),
  /** Not these, whatever is included. */
  excludeTools: names.optional(),
  /**
   * Of the tools that an MCP server or another extension (its id, or `vscode`) provides only those of these; absent: all.
   * The agent's own tools come from none.
   */
  allowedServers: names.optional(),
  maxToolIterations: z.int().min(1).max(1000).optional(),
  /** How many prompts a session takes with this agent. */
  maxTurns: z.int().min(1).optional(),
  permissionMode: z.enum(permissionModes).optional(),
  /** `false`: each prompt starts without the conversation before it. */
  includeHistory: z.boolean().optional(),
  ...optionalSampling,
});

/** A named agent: what it is told, what it works with, and how far it may go. */
export type AgentDefinition = Readonly<z.infer<typeof AgentDefinitionSchema>>;

/** The profiles a person wrote. What is wrong with one is said, naming it and every wrong field; the others count. */
export function parseProfiles(value: unknown): {
  readonly profiles: readonly LlmProfile[];
  readonly problems: readonly string[];
} {
  const { items, problems } = parseList('profiles', value, parseProfile);
  return { profiles: items, problems };
}

/** The agents a person wrote, likewise. One that names a profile that is not there is left out: it could go elsewhere. */
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
