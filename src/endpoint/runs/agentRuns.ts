import type { CallerWishes, CreateClient } from '../../agent/configuration/sessionClient';
import type { ApprovalAsk } from '../../agent/approval/approver';
import { modeNote } from '../../agent/prompts/mode';
import type { PermissionMode } from '../../agent/view/permissionModes';
import type { AgentEvent } from '../../sdk/events';
import type { Message } from '../../sdk/messages';

export interface RunRequest {
  /** The id of the answer. Logs and screens show it. */
  readonly id: string;
  readonly history: readonly Message[];
  readonly prompt: string;
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

export interface AgentRunsParts {
  readonly createClient: CreateClient;
  /** Decides on calls that need an answer. No caller of the endpoint decides. */
  readonly ask: ApprovalAsk;
  readonly permissionMode: () => PermissionMode;
}

/** Denies every call that needs an answer, for places without a person. Tells the model why. */
export const denyAll: ApprovalAsk = () =>
  Promise.resolve({
    action: 'deny',
    reason: 'Nobody can be asked: this agent is used over the network, and only its owner may allow this.',
  });

/** Runs without a session. Each has a client of its own, with the conversation that the caller sent. */
export function createAgentRuns({ createClient, ask, permissionMode }: AgentRunsParts): AgentRuns {
  return {
    async *run({ id, history, prompt, wishes }, { signal }) {
      const { client } = await createClient({
        history,
        sessionId: id,
        ask,
        wishes,
        yieldsSlots: true,
        isForPrompt: true,
        recordCheckpoint: () => Promise.reject(new Error('A run of the endpoint has no session to keep changes with.')),
      });
      try {
        const note = modeNote(permissionMode(), []);
        yield* client.run(note === undefined ? prompt : `${note}\n\n${prompt}`, { signal });
      } finally {
        await client.close();
      }
    },
  };
}
