import type { PanelState } from '../../protocol/messages';
import { agentStateOf } from './agentState';
import type { PanelControllerParts } from './panelParts';
import type { SessionListing } from './sessionListing';

/** The panel's state around the conversation. */
export function panelStateOf(
  {
    server,
    doctor,
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
  };
}
