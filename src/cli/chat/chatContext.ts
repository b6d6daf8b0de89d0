import type { AgentSession } from '../../agent/session/agentSession';

/** The access of chat commands to the conversation in the terminal. */
export interface ChatContext {
  /** The current session. `use` changes it. */
  readonly session: AgentSession;
  readonly print: (text: string) => void;
  /** Shows `question` and returns the answer; `undefined` when the input has ended. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Continues in another session. */
  readonly use: (session: AgentSession) => void;
  /** Starts a run. Resolves when the run has ended, even with an error. */
  readonly run: (start: () => Promise<void>) => Promise<void>;
  /** Ends the conversation after the command. */
  readonly end: () => void;
}
