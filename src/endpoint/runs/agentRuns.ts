import type { ApprovalAsk, CallerWishes, CreateClient } from '../../agent/configuration/createClient';
import { modeNote } from '../../agent/prompts/mode';
import type { PermissionMode } from '../../agent/approval/permissions';
import type { AgentEvent } from '../../sdk/events';
import type { Message } from '../../sdk/messages';

export interface RunRequest {
  /** Of the answer; names the run wherever it shows. */
  readonly id: string;
  readonly history: readonly Message[];
  readonly prompt: string;
  readonly wishes: CallerWishes;
}

/** The port to the agent that answers. */
export interface AgentRuns {
  /**
   * One run, for one reader; leaving early or aborting `signal` ends it, its tools included. Throws an `AgentError` when there
   * is no server or model to run with.
   */
  run(request: RunRequest, options: { readonly signal: AbortSignal }): AsyncIterable<AgentEvent>;
}

export interface AgentRunsParts {
  readonly createClient: CreateClient;
  /** Decides about what asks. No caller of the endpoint ever does. */
  readonly ask: ApprovalAsk;
  readonly permissionMode: () => PermissionMode;
}

/** Where no person is at hand: whatever would ask is denied, and the model hears why. */
export const denyAll: ApprovalAsk = () =>
  Promise.resolve({
    action: 'deny',
    reason: 'Nobody can be asked here: this agent is used over the network, and only its owner may allow this.',
  });

/** Runs that leave nothing behind: each has a client of its own, with the conversation its caller sent. */
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
