import { defaultAgentSettings } from '../../agent/configuration/agentSettings';
import { chooseAgent, type AgentConfiguration } from '../../agent/configuration/chooseAgent';
import type { AgentArguments } from '../arguments/resolveArguments';
import type { CliSettings } from '../arguments/cliSettings';

/** The configuration of an agent. Server and model come from `given`, which has those of profile and agent already. */
export function configurationOf(given: AgentArguments, settings: CliSettings): AgentConfiguration {
  const { baseUrl, model, profile = '', agent = '', permissionMode, maxIterations } = given;
  const { profiles = [], agents = [], common = defaultAgentSettings } = settings;
  const overrides = model === '' ? {} : { model };
  const { configuration } = chooseAgent(
    { ...common, baseUrl, model, profiles, agents },
    { profile, agent, permissionMode, baseUrl, overrides },
  );
  return maxIterations === undefined ? configuration : { ...configuration, maxToolIterations: maxIterations };
}
