import type { CallerWishes } from '../../agent/configuration/sessionClient';
import type { ApprovalAsk } from '../../agent/approval/approver';
import type { AgentEvent } from '../../sdk/events';
import type { Message, UserContent } from '../../sdk/messages';

export interface RunRequest {
  /** The id of the answer. Logs and screens show it. */
  readonly id: string;
  readonly history: readonly Message[];
  readonly prompt: UserContent;
  readonly wishes: CallerWishes;
}

/** The port to the agent that answers. */
export interface AgentRuns {
  /**
   * Runs the agent for one reader. Leaving the iteration early or aborting `signal` ends the run and its tools. Throws an
   * `AgentError` when there is no server or model.
   */
  run(request: RunRequest, options: { readonly signal: AbortSignal }): AsyncIterable<AgentEvent>;
}

/** Denies every call that needs an answer, for places without a person. Tells the model why. */
export const denyAll: ApprovalAsk = () =>
  Promise.resolve({
    action: 'deny',
    reason: 'Nobody can be asked: this agent is used over the network, and only its owner may allow this.',
  });
