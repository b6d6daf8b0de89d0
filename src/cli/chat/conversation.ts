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

/** What can be typed in a conversation besides a prompt, such as `/new`. */
export interface ChatCommand {
  /** Without the slash. */
  readonly name: string;
  /** How `/help` calls what comes after the name; absent: nothing. */
  readonly argument?: string | undefined;
  /** For `/help`: one line. */
  readonly about: string;
  /** What it rejects with is shown, and the conversation goes on. */
  readonly run: (conversation: Conversation, argument: string) => Promise<void> | void;
}
