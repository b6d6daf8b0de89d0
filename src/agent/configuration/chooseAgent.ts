import { resolveProfile, type ProfileOverrides } from '../../sdk/configuration/profiles';
import type { AgentDefinition } from './agentDefinition';
import type { AgentSettings } from './agentSettings';
import type { PermissionMode } from '../view/permissionModes';

/** What a person chose over what is set: in the panel for a folder, or with the flags of one start. */
export interface AgentChoice {
  /** The id of a profile; empty: none, whatever the settings and the agent say. Absent: nothing chosen. */
  readonly profile?: string | undefined;
  /** The id of an agent; empty: none. Absent: nothing chosen. */
  readonly agent?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly baseUrl?: string | undefined;
  readonly overrides?: ProfileOverrides | undefined;
}

/** How an agent is made: settings, profile, agent definition and choice put together. */
export interface AgentConfiguration
  extends
    Pick<
      AgentSettings,
      'baseUrl' | 'model' | 'contextWindow' | 'maxToolIterations' | 'modelOptions' | 'permissionMode' | 'systemPrompt'
    >,
    Omit<ProfileOverrides, 'model' | 'systemPrompt'>,
    Pick<AgentDefinition, 'includeTools' | 'excludeTools' | 'allowedServers' | 'maxTurns' | 'includeHistory'> {
  /** The id of the profile it comes from; absent: the settings alone. */
  readonly profileId?: string | undefined;
  /** The id of the agent; absent: the settings and the profile alone. */
  readonly agentId?: string | undefined;
}

export interface ChosenAgent {
  readonly configuration: AgentConfiguration;
  /** What was to be used and is not there any more, and what is used instead; for people. */
  readonly problems: readonly string[];
}

/**
 * Puts together what counts. The order, from the weakest: settings, profile, agent definition, choice; the strongest that
 * says anything about a field counts, and `extraBody` is put together key by key. A profile or agent that is not in the
 * settings (any more) is passed over and named.
 */
export function chooseAgent(settings: AgentSettings, choice: AgentChoice = {}): ChosenAgent {
  const problems: string[] = [];
  const agentId = choice.agent ?? settings.agent;
  const agent = settings.agents.find(({ id }) => id === agentId);
  if (agentId !== '' && !agent) {
    problems.push(`The agent "${agentId}" is not in the settings, or not usable. Working without it.`);
  }
  const profileId = choice.profile ?? agent?.profile ?? settings.profile;
  const profile = settings.profiles.find(({ id }) => id === profileId);
  if (profileId !== '' && !profile) {
    const instead = settings.baseUrl === '' ? 'a server found on this machine' : settings.baseUrl;
    problems.push(`The profile "${profileId}" is not in the settings, or not usable. Using the settings: ${instead}.`);
  }

  const { baseUrl, model, temperature, maxTokens, systemPrompt } = settings;
  const { id: _id, baseUrl: profileUrl, ...fromProfile } = profile ?? { id: '', baseUrl };
  const { overrides = {} } = choice;
  const resolved = resolveProfile(
    { id: '', baseUrl, model, temperature, maxTokens, systemPrompt },
    fromProfile,
    agent && overridesOf(agent),
    overrides,
  );
  return {
    problems,
    configuration: {
      ...resolved,
      baseUrl: choice.baseUrl ?? profileUrl,
      contextWindow: settings.contextWindow,
      modelOptions: settings.modelOptions,
      maxToolIterations: agent?.maxToolIterations ?? settings.maxToolIterations,
      permissionMode: choice.permissionMode ?? agent?.permissionMode ?? settings.permissionMode,
      ...(profile && { profileId: profile.id }),
      ...(agent && { agentId: agent.id, ...limitsOf(agent) }),
    },
  };
}

function overridesOf(agent: AgentDefinition): ProfileOverrides {
  const { prompt, model, temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody } = agent;
  return {
    systemPrompt: prompt,
    model,
    temperature,
    topP,
    topK,
    maxTokens,
    reasoningEffort,
    thinking,
    extraBody,
  };
}

function limitsOf(agent: AgentDefinition): Partial<AgentConfiguration> {
  const { includeTools, excludeTools, allowedServers, maxTurns, includeHistory } = agent;
  const limits = { includeTools, excludeTools, allowedServers, maxTurns, includeHistory };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
