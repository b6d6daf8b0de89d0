import type { AgentSession } from '../../agent/session/agentSession';
import type { AgentContext } from '../agent/createAgentContext';
import type { SessionPlaces } from '../session/beginSession';
import type { OpenAgent } from '../agent/openAgent';
import type { RestoreFlowParts } from '../../agent/restore/restoreFlow';
import type { PreparePrompt } from './mcpPrompts';
import type { PromptCommand } from './slashCommands';
import type { Styles } from '../terminal/styles';
import type { Terminal } from '../terminal/terminal';
import type { TerminalApprover } from '../terminal/terminalApprover';

/** What a single prompt and a conversation both need. */
export interface RunSetup {
  readonly context: AgentContext;
  readonly agent: OpenAgent;
  readonly approver: TerminalApprover;
  /** Absent: nobody can be asked. */
  readonly terminal: Terminal | undefined;
  readonly places: SessionPlaces;
  /** For `/restore` and `/undo`. */
  readonly restore: Omit<RestoreFlowParts, 'dialog'>;
  /** The first session. */
  readonly session: AgentSession;
  /** The session continues an earlier one. */
  readonly isResumed: boolean;
  /** Turns typed or given text into a prompt. */
  readonly prepare: PreparePrompt;
  /** The commands that become prompts. */
  readonly promptCommands: () => Promise<readonly PromptCommand[]>;
  readonly styles: Styles;
}
