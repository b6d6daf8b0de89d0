import type { AgentSession } from '../../agent/session/agentSession';

/** What a command that is typed in a conversation works with. */
export interface Conversation {
  /** The session of now: `use` changes it. */
  readonly session: AgentSession;
  readonly print: (text: string) => void;
  /** Shows `question` and gives what is typed; `undefined` when the input has ended. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Goes on in another session. */
  readonly use: (session: AgentSession) => void;
  /** Starts a run and resolves when it has ended, whichever way. */
  readonly run: (start: () => Promise<void>) => Promise<void>;
  /** Ends the conversation when the command has ended. */
  readonly end: () => void;
}
