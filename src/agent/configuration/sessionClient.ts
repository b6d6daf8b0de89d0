import type { Client } from '../../sdk/client';
import type { Message } from '../../sdk/messages';
import type { RecordCheckpoint } from '../../workspace/checkpoints/fileChange';
import type { ApprovalAsk, RunEdits } from '../approval/approver';

export interface CreateClientInput {
  /** The conversation so far, for `AgentOptions.history`. */
  readonly history: readonly Message[];
  readonly sessionId: string;
  readonly ask: ApprovalAsk;
  /** Whether the rest of the run's ordinary edits are accepted. Absent: that is not offered. */
  readonly runEdits?: RunEdits | undefined;
  /** Keeps with the session what a tool does to files, before it does it. */
  readonly recordCheckpoint: RecordCheckpoint;
  /** The client is for a new prompt, and not to go on with the one before. */
  readonly isForPrompt?: boolean | undefined;
  /** How many prompts the session has on file. */
  readonly promptCount?: number | undefined;
  /** What whoever asks wants of the answer, within what is set. Absent: nothing. */
  readonly wishes?: CallerWishes | undefined;
  /** Its requests wait for a slot until nobody else does: a program asks, and no person. */
  readonly yieldsSlots?: boolean | undefined;
}

/** What a request over the network may say of its answer. It widens nothing. */
export interface CallerWishes {
  /** Added to our system prompt and to the person's own words. */
  readonly systemPrompt?: string | undefined;
  /** Most tokens of one response; what is set counts where it is less. */
  readonly maxTokens?: number | undefined;
  readonly sampling?: SamplingWishes | undefined;
}

/** How the model is to choose its words; absent: as is set. */
export interface SamplingWishes {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly seed?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly reasoningEffort?: string | undefined;
}

/** A client, and what it was made of beside the server and the model. */
export interface SessionClient {
  readonly client: Client;
  /** Ids; absent: the settings alone. */
  readonly profile?: string | undefined;
  readonly agent?: string | undefined;
  /** The history that was given was left out, because each prompt starts without what was said before. */
  readonly omitsHistory?: boolean | undefined;
  /** The next prompt needs a new client, which leaves the history out again. */
  readonly isForOnePrompt?: boolean | undefined;
}

/**
 * Makes the client of a session, with the settings of the moment: called at the first prompt and again when an epoch
 * ends. The session closes what it got. Rejects with an `AgentError` when no client can be made (no server, no model).
 */
export type CreateClient = (input: CreateClientInput) => Promise<SessionClient>;
