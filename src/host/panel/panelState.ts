import type { PanelState } from '../../protocol/messages';
import { agentStateOf } from './agentState';
import type { PanelControllerParts } from './panelParts';
import type { SessionListing } from './sessionListing';

/** Everything around the conversation, as the panel shows it. */
export function panelStateOf(
  { server, doctor, agents, background, settingProblems, ruleProblems, isTrusted, hasFolder }: PanelControllerParts,
  listing: SessionListing,
  activeSessionId: string | undefined,
): PanelState {
  return {
    connection: server.state,
    isTrusted: isTrusted(),
    hasFolder: hasFolder(),
    models: server.models,
    selectedModel: server.selectedModel,
    agent: agentStateOf(agents, settingProblems(), ruleProblems()),
    commands: background.list().map(({ id, command, startedMs, lastLine }) => ({ id, command, startedMs, lastLine })),
    ...listing.state,
    activeSessionId,
    doctor: doctor.report,
  };
}
