import * as l10n from '../../util/l10n';
import { resolveProfile, type ProfileOverrides } from '../../sdk/configuration/profiles';
import type { AgentDefinition } from './agentDefinition';
import type { AgentSettings } from './agentSettings';
import type { PermissionMode } from '../view/permissionModes';

/** A person's choice, which overrides the settings: made in the panel for a folder, or with command line flags. */
export interface AgentChoice {
  /** The id of a profile; empty: none, even if the settings or the agent name one. Absent: nothing chosen. */
  readonly profile?: string | undefined;
  /** The id of an agent; empty: none. Absent: nothing chosen. */
  readonly agent?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly baseUrl?: string | undefined;
  readonly overrides?: ProfileOverrides | undefined;
}

/** The configuration of an agent: settings, profile, agent definition and choice merged. */
export interface AgentConfiguration
  extends
    Pick<
      AgentSettings,
      | 'baseUrl'
      | 'model'
      | 'contextWindow'
      | 'maxToolIterations'
      | 'checks'
      | 'modelOptions'
      | 'permissionMode'
      | 'systemPrompt'
    >,
    Omit<ProfileOverrides, 'model' | 'systemPrompt'>,
    Pick<AgentDefinition, 'includeTools' | 'excludeTools' | 'allowedServers' | 'maxTurns' | 'includeHistory'> {
  /** The id of the profile; absent: no profile. */
  readonly profileId?: string | undefined;
  /** The id of the agent; absent: no agent. */
  readonly agentId?: string | undefined;
}

export interface ChosenAgent {
  readonly configuration: AgentConfiguration;
  /** Missing profiles and agents, and what is used instead; for people. */
  readonly problems: readonly string[];
}

/**
 * Merges settings, profile, agent definition and choice. Each overrides the one before, field by field; `extraBody` is
 * merged key by key. A profile or agent that is missing in the settings is skipped and named in `problems`.
 */
export function chooseAgent(settings: AgentSettings, choice: AgentChoice = {}): ChosenAgent {
  const problems: string[] = [];
  const agentId = choice.agent ?? settings.agent;
  const agent = settings.agents.find(({ id }) => id === agentId);
  if (agentId !== '' && !agent) {
    problems.push(l10n.t('The agent "{0}" is not in the settings, or not usable. Working without it.', agentId));
  }
  const profileId = choice.profile ?? agent?.profile ?? settings.profile;
  const profile = settings.profiles.find(({ id }) => id === profileId);
  if (profileId !== '' && !profile) {
    const instead = settings.baseUrl === '' ? l10n.t('a server found on this machine') : settings.baseUrl;
    problems.push(
      l10n.t('The profile "{0}" is not in the settings, or not usable. Using the settings: {1}.', profileId, instead),
    );
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
      checks: settings.checks,
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
