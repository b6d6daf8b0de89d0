import type { Client } from '../../sdk/client';
import type { Message } from '../../sdk/messages';
import type { JsonObject } from '../../util/json';
import type { RecordCheckpoint } from '../../workspace/checkpoints/fileChange';
import type { WorseRound } from '../runSummary/roundHistory';
import type { RunFacts } from '../runSummary/runFacts';
import type { ApprovalAsk, RunEdits, RunReads } from '../approval/approver';

export interface CreateClientInput {
  /** The conversation so far, for `AgentOptions.history`. */
  readonly history: readonly Message[];
  readonly sessionId: string;
  readonly ask: ApprovalAsk;
  /** Whether ordinary edits are accepted for the rest of the run. Absent: that is not offered. */
  readonly runEdits?: RunEdits | undefined;
  /** The files that a person allowed to read in this run. Absent: each edit asks to read a protected file. */
  readonly runReads?: RunReads | undefined;
  /** Writes to the session's file what a tool will do to files, before it does. */
  readonly recordCheckpoint: RecordCheckpoint;
  /**
   * Asked before a run ends with an answer: the facts that the model should know first. `undefined`: none. Absent: nothing is
   * told.
   */
  readonly beforeEnd?: (() => Promise<string | undefined>) | undefined;
  /** The facts about the run so far; `undefined`: no file differs. Absent: nothing is known. */
  readonly runFacts?: (() => RunFacts | undefined) | undefined;
  /** The client is for a new prompt, not to continue the run before. */
  readonly isForPrompt?: boolean | undefined;
  /** The number of prompts in the session's file. */
  readonly promptCount?: number | undefined;
  /** The caller's wishes for the answer, within the settings. Absent: none. */
  readonly wishes?: CallerWishes | undefined;
  /** Whether the panel answers, with its sign of the mode. Read for each call. Absent: it does. */
  readonly isInPanel?: (() => boolean) | undefined;
  /** Its requests let all others go first: a program asks, not a person. */
  readonly yieldsSlots?: boolean | undefined;
}

/** The wishes of a network request for its answer. They give no more rights. */
export interface CallerWishes {
  /** Added after our system prompt and the person's addition. */
  readonly systemPrompt?: string | undefined;
  /** The most tokens of one response; a lower setting wins. */
  readonly maxTokens?: number | undefined;
  readonly sampling?: SamplingWishes | undefined;
  /** The answer must be JSON that matches this JSON Schema. */
  readonly outputSchema?: JsonObject | undefined;
}

/** Sampling parameters; absent: as in the settings. */
export interface SamplingWishes {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly seed?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly reasoningEffort?: string | undefined;
}

/** A client with the profile and the agent that it was made for. */
export interface SessionClient {
  readonly client: Client;
  /** Ids; absent: the settings alone. */
  readonly profile?: string | undefined;
  readonly agent?: string | undefined;
  /** The given history was left out, because this agent starts each prompt without it. */
  readonly omitsHistory?: boolean | undefined;
  /** The next prompt needs a new client, again without the history. */
  readonly isForOnePrompt?: boolean | undefined;
  /** The round of repair since which the errors grew, for the run that has ended. Absent: nothing is known. */
  readonly findWorseRound?: (() => Promise<WorseRound | undefined>) | undefined;
}

/**
 * Makes the client of a session from the current settings: at the first prompt and after each epoch. The session closes
 * the client. Rejects with an `AgentError` when there is no server or no model.
 */
export type CreateClient = (input: CreateClientInput) => Promise<SessionClient>;
