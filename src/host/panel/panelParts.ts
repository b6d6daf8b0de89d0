import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { SettingProblem } from '../../agent/configuration/agentSettings';
import type { RemedySetting } from '../../agent/view/doctorReport';
import type { PanelCommand, SessionAction } from '../../protocol/messages';
import type { BackgroundCommands } from '../../workspace/ports';
import type { VscodeApprover } from '../approvals/vscodeApprover';
import type { WindowMcp } from '../mcpServers/windowMcp';
import type { WorkspaceMemory } from '../workspace/memory';
import type { Mentions } from './createMentions';
import type { RestoreFlow } from '../restore/restoreFlow';
import type { ServerConnection } from '../../agent/servers/access/serverConnection';
import type { ServerDoctor } from '../../agent/servers/doctor/serverDoctor';
import type { AgentSelection } from '../settings/agentSelection';
import type { SetTimer } from '../../util/timer';

/** What the panel may have the window do. */
export interface WindowActions {
  /** A file of the workspace, as a model or a person wrote its path. */
  openFile(file: string, line: number | undefined): Promise<void>;
  /** `text` is what the link shows. */
  openLink(href: string, text: string): Promise<void>;
  runCommand(command: PanelCommand): Promise<void>;
  runSessionAction(action: SessionAction, sessionId: string): Promise<void>;
  showError(message: string): void;
  /** The whole output of a background command, in an editor. */
  showCommandOutput(id: string): Promise<void>;
  /** Has the server load a model, or take it out of memory, with progress on screen. */
  changeLoaded(model: string, isLoaded: boolean): Promise<void>;
  /** Shows one setting in the settings editor. */
  openSetting(setting: RemedySetting): Promise<void>;
  /** Whether the session on screen runs, for buttons and key bindings. */
  showRunning(isRunning: boolean): void;
}

/** What the panel needs of the MCP servers. */
export type PanelMcp = Pick<WindowMcp, 'summaries' | 'problems' | 'onChange' | 'items' | 'prepareText'>;

export interface PanelLog {
  readonly warn: (message: string) => void;
  readonly error: (error: unknown) => void;
}

export interface PanelControllerParts {
  readonly registry: SessionRegistry;
  readonly approver: VscodeApprover;
  readonly server: ServerConnection;
  readonly agents: AgentSelection;
  /** What is wrong in the settings now. */
  readonly settingProblems: () => readonly SettingProblem[];
  /** What is wrong with the rules now, for people. */
  readonly ruleProblems: () => readonly string[];
  readonly mcp: PanelMcp;
  readonly mentions: Mentions;
  readonly doctor: ServerDoctor;
  readonly memory: WorkspaceMemory;
  readonly actions: WindowActions;
  readonly restore: RestoreFlow;
  /** Shows what the agent changed and nobody has looked at. False: it could not be shown. */
  readonly reviewEdits: () => Promise<boolean>;
  /** Shows all edits of a session that wait, in one editor. False: none does. */
  readonly reviewProposedEdits: (sessionId: string) => Promise<boolean>;
  readonly background: Pick<BackgroundCommands, 'list' | 'stop' | 'onChange'>;
  /** Forgets what the server in use was found not to take. */
  readonly forgetQuirks: () => void;
  readonly isTrusted: () => boolean;
  readonly hasFolder: () => boolean;
  readonly schedule: SetTimer;
  readonly log: PanelLog;
}
