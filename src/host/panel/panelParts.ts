import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { SettingProblem } from '../../agent/configuration/agentSettings';
import type { BackgroundCommands } from '../../workspace/ports';
import type { CodeBlocks } from '../codeBlocks/createCodeBlocks';
import type { WindowActions } from '../actions/windowActions';
import type { VscodeApprover } from '../approvals/vscodeApprover';
import type { WindowLocalModel } from '../localModel/windowLocalModel';
import type { WindowMcp } from '../mcpServers/windowMcp';
import type { WorkspaceMemory } from '../workspace/memory';
import type { PastedFiles } from '../context/pastedFiles';
import type { PanelContext } from '../context/panelContext';
import type { PanelSurroundings } from './panelSurroundings';
import type { SlashCommands } from '../slashCommands/createSlashCommands';
import type { Mentions } from './prompt/createMentions';
import type { RestoreFlow } from '../../agent/restore/restoreFlow';
import type { RestoreChoice } from '../../agent/restore/planRestore';
import type { ServerConnection } from '../../agent/servers/access/serverConnection';
import type { ServerDoctor } from '../../agent/servers/doctor/serverDoctor';
import type { AgentSelection } from '../settings/agentSelection';
import type { SetTimer } from '../../util/timer';

/** The panel's part of the MCP servers. */
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
  /** The current problems of the settings. */
  readonly settingProblems: () => readonly SettingProblem[];
  /** The current problems of the rules, as texts for people. */
  readonly ruleProblems: () => readonly string[];
  readonly mcp: PanelMcp;
  readonly mentions: Mentions;
  /** The texts that name dropped files and folders. Tells the person about those that cannot be named. */
  readonly nameDropped: (uris: readonly string[]) => readonly string[];
  readonly pasted: Pick<PastedFiles, 'keep'>;
  readonly context: Pick<PanelContext, 'state' | 'follow' | 'lookAgain' | 'refreshSoon' | 'onChange'>;
  /** Switches the instructions of one place on or off, for all sessions of the workspace. */
  readonly switchInstruction: (id: string, isOn: boolean) => Promise<void>;
  readonly slashCommands: SlashCommands;
  readonly doctor: ServerDoctor;
  readonly local: Pick<WindowLocalModel, 'setUp' | 'steerSetUp' | 'onChange'>;
  readonly memory: WorkspaceMemory;
  readonly surroundings: Omit<PanelSurroundings, 'memory'>;
  readonly actions: Omit<WindowActions, 'showRunning' | 'showFocused'>;
  readonly codeBlocks: CodeBlocks;
  readonly restore: RestoreFlow;
  /** Shows the edits made without asking. Resolves with false when there are none. */
  readonly reviewEdits: () => Promise<boolean>;
  /** Shows files beside how they were before a run. */
  readonly reviewRun: (changes: readonly RestoreChoice[]) => Promise<void>;
  /** Shows all waiting edits of a session in one editor. Resolves with false when there are none. */
  readonly reviewProposedEdits: (sessionId: string) => Promise<boolean>;
  readonly background: Pick<BackgroundCommands, 'list' | 'stop' | 'onChange'>;
  /** The person types: what the next prompt needs may begin to start. Called often. */
  readonly onTyping: () => void;
  /** Forgets the features that the current server rejected. */
  readonly forgetQuirks: () => void;
  /** Finds out whether the sandbox works, and tells `agents`. Called when the panel opens. */
  readonly trySandbox: () => void;
  readonly isTrusted: () => boolean;
  readonly hasFolder: () => boolean;
  readonly schedule: SetTimer;
  readonly log: PanelLog;
}
