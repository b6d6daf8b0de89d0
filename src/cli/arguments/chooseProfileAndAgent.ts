import type { AgentDefinition } from '../../agent/configuration/agentDefinition';
import { settableModes, type PermissionMode } from '../../agent/view/permissionModes';
import type { ConnectionSettings } from '../../sdk/configuration/configuration';
import type { LlmProfile } from '../../sdk/configuration/profiles';
import type { CliSettings } from './cliSettings';
import type { FlagValues } from './flags';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Choice {
  readonly profile?: LlmProfile | undefined;
  readonly agent?: AgentDefinition | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly maxIterations?: number | undefined;
  /** Overrides environment and settings file, field by field. */
  readonly connection: ConnectionSettings;
}

type Said =
  | {
      readonly value: string;
      readonly level: 'flag' | 'env' | 'file';
      /** Names the flag, variable or file, for error messages. */
      readonly source: string;
    }
  | undefined;

/**
 * Chooses profile, agent, mode and limits; flags win over the environment, the environment over the settings file. A profile
 * has the strength of its source: one from a flag wins over server and model of the environment.
 */
export function chooseProfileAndAgent(
  values: FlagValues,
  env: Environment,
  settings: CliSettings,
): Choice | { readonly problem: string } {
  const { profiles = [], agents = [], common } = settings;
  const said = (flag: 'profile' | 'agent' | 'permission-mode' | 'max-iterations', inFile?: string): Said => {
    const name = `OPEN_AGENT_${flag.toUpperCase().replaceAll('-', '_')}`;
    const flagged = values[flag];
    if (flagged !== undefined) return { value: flagged, level: 'flag', source: `--${flag}` };
    const variable = env[name]?.trim();
    if (variable) return { value: variable, level: 'env', source: name };
    return inFile ? { value: inFile, level: 'file', source: 'the settings file' } : undefined;
  };
  const agentSaid = said('agent', common?.agent);
  const agent = agents.find(({ id }) => id === agentSaid?.value);
  if (agentSaid?.value && !agent) return { problem: unknownId('agent', agentSaid.value, agents, settings) };
  const ofAgent: Said = agentSaid && agent?.profile !== undefined ? { ...agentSaid, value: agent.profile } : undefined;
  const profileSaid = said('profile') ?? ofAgent ?? said('profile', common?.profile);
  const profile = profiles.find(({ id }) => id === profileSaid?.value);
  if (profileSaid?.value && !profile) return { problem: unknownId('profile', profileSaid.value, profiles, settings) };

  const modeSaid = said('permission-mode');
  const permissionMode = settableModes.find((known) => known === modeSaid?.value);
  if (modeSaid && !permissionMode) {
    return {
      problem: `There is no mode "${modeSaid.value}" (${modeSaid.source}). The modes are: ${settableModes.join(', ')}.`,
    };
  }
  const iterationsSaid = said('max-iterations');
  const maxIterations = iterationsSaid && wholeNumber(iterationsSaid.value);
  if (iterationsSaid && (maxIterations === undefined || maxIterations < 1 || maxIterations > MAX_ITERATIONS)) {
    return {
      problem: `${iterationsSaid.source}: "${iterationsSaid.value}" is not a whole number from 1 to ${MAX_ITERATIONS}.`,
    };
  }

  // On the same level, an own field wins over the profile's.
  const counts = (by: Said, variable: string): boolean => by?.level === 'flag' || !env[variable]?.trim();
  const ofProfile = counts(profileSaid, 'OPEN_AGENT_MODEL') ? profile?.model : undefined;
  const ofDefinition = counts(agentSaid, 'OPEN_AGENT_MODEL') ? agent?.model : undefined;
  return {
    ...(profile && { profile }),
    ...(agent && { agent }),
    ...(permissionMode && { permissionMode }),
    ...(maxIterations !== undefined && { maxIterations }),
    connection: {
      baseUrl: values['base-url'] || (counts(profileSaid, 'OPEN_AGENT_BASE_URL') ? profile?.baseUrl : undefined),
      model: values.model || (ofDefinition ?? ofProfile),
      apiKey: values['api-key'],
      ca: values.ca,
    },
  };
}

const MAX_ITERATIONS = 1000;

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function unknownId(kind: string, id: string, known: readonly { readonly id: string }[], { file }: CliSettings): string {
  const offer = known.length === 0 ? 'It has none.' : `It has: ${known.map((item) => item.id).join(', ')}.`;
  return `The settings file ${file ?? '~/.open-agent/settings.json'} has no usable ${kind} "${id}". ${offer}`;
}
