import { problemText, type SettingProblem } from '../../agent/configuration/agentSettings';
import type { AgentState } from '../../protocol/messages';
import type { AgentSelection } from '../settings/agentSelection';

/** The panel's view of profiles, agents and mode, with the problems of the settings. */
export function agentStateOf(
  { current, offered }: Pick<AgentSelection, 'current' | 'offered'>,
  settingProblems: readonly SettingProblem[],
  otherProblems: readonly string[],
): AgentState {
  const { configuration, problems } = current;
  return {
    mode: configuration.permissionMode,
    profiles: offered.profiles.map(({ id, model, baseUrl }) => ({ id, detail: `${model} at ${baseUrl}` })),
    agents: offered.agents.map(({ id, description = '' }) => ({ id, detail: description })),
    profile: configuration.profileId,
    agent: configuration.agentId,
    problems: [...problems, ...settingProblems.map(problemText), ...otherProblems],
  };
}
