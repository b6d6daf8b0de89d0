import { problemText, type SettingProblem } from '../../agent/configuration/agentSettings';
import type { McpItems } from '../../mcp/mcpServers';
import type { AgentState, PanelState, ServerPrompt, ServerResource } from '../../protocol/toWebview';
import type { AgentSelection } from '../settings/agentSelection';
import type { PanelControllerParts } from './panelParts';
import type { SessionListing } from './sessionListing';
import * as l10n from '../../util/l10n';

/** The panel's state around the conversation. */
export function panelStateOf(
  {
    server,
    doctor,
    local,
    agents,
    mcp,
    background,
    settingProblems,
    ruleProblems,
    isTrusted,
    hasFolder,
  }: PanelControllerParts,
  listing: SessionListing,
  activeSessionId: string | undefined,
): PanelState {
  return {
    connection: server.state,
    isTrusted: isTrusted(),
    hasFolder: hasFolder(),
    models: server.models,
    selectedModel: server.selectedModel,
    agent: agentStateOf(agents, settingProblems(), [...ruleProblems(), ...mcp.problems]),
    commands: background.list().map(({ id, command, startedMs, lastLine }) => ({ id, command, startedMs, lastLine })),
    mcpServers: mcp.summaries.map(({ name, state, hasNewTools }) => ({
      name,
      // A refused server needs no notice.
      state: state.kind === 'needs_consent' && state.isRefused ? 'off' : state.kind,
      ...(state.kind === 'failed' && { reason: state.reason }),
      ...(hasNewTools && { hasNewTools }),
    })),
    ...listing.state,
    activeSessionId,
    doctor: doctor.report,
    ...(local.setUp && { setUp: local.setUp }),
  };
}

/** What the MCP servers offer to the composer. The names of optional arguments end in `?`. */
export function serverItemsOf({ prompts, resources }: McpItems): {
  readonly prompts: readonly ServerPrompt[];
  readonly resources: readonly ServerResource[];
} {
  return {
    prompts: prompts.map(({ server, name, description, arguments: wanted }) => ({
      server,
      name,
      description,
      arguments: wanted.map((argument) => `${argument.name}${argument.isRequired ? '' : '?'}`),
    })),
    resources,
  };
}

/** The panel's view of profiles, agents and mode, with the problems of the settings. */
function agentStateOf(
  { current, offered, modes }: Pick<AgentSelection, 'current' | 'offered' | 'modes'>,
  settingProblems: readonly SettingProblem[],
  otherProblems: readonly string[],
): AgentState {
  const { configuration, problems } = current;
  return {
    mode: configuration.permissionMode,
    modes,
    profiles: offered.profiles.map(({ id, model, baseUrl }) => ({ id, detail: l10n.t('{0} at {1}', model, baseUrl) })),
    agents: offered.agents.map(({ id, description = '' }) => ({ id, detail: description })),
    profile: configuration.profileId,
    agent: configuration.agentId,
    problems: [...problems, ...settingProblems.map(problemText), ...otherProblems],
  };
}
