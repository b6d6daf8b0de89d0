import type { AgentSession } from '../../agent/session/agentSession';
import type { AgentContext } from '../agent/createAgentContext';
import type { SessionPlaces } from '../session/beginSession';
import type { OpenAgent } from '../agent/openAgent';
import type { RestoreFlowParts } from '../../agent/restore/restoreFlow';
import type { PreparePrompt } from './mcpPrompts';
import type { Styles } from '../terminal/styles';
import type { Terminal } from '../terminal/terminal';
import type { TerminalApprover } from '../terminal/terminalApprover';

/** What a prompt and a conversation both work with. */
export interface RunSetup {
  readonly context: AgentContext;
  readonly agent: OpenAgent;
  readonly approver: TerminalApprover;
  /** Absent: nobody is there. */
  readonly terminal: Terminal | undefined;
  readonly places: SessionPlaces;
  /** What the commands that take things back work with. */
  readonly restore: Omit<RestoreFlowParts, 'dialog'>;
  /** Which session it begins with. */
  readonly session: AgentSession;
  /** It has been said something before. */
  readonly isResumed: boolean;
  /** What is sent for what is typed or given. */
  readonly prepare: PreparePrompt;
  readonly styles: Styles;
}
