import type { PermissionMode } from '../agent/view/permissionModes';
import type { ConnectionState, ModelSummary } from '../agent/servers/access/connectionState';
import type { DoctorReport } from '../agent/view/doctorReport';
import type { SessionEvent } from '../agent/view/sessionEvents';
import type { SessionView } from '../agent/view/sessionView';

export type { ConnectionState, ModelSummary };

/** What the panel knows besides the open session. */
export interface PanelState {
  readonly connection: ConnectionState;
  /** False in an untrusted workspace: chat and explain only. */
  readonly isTrusted: boolean;
  /** False when no folder is open. */
  readonly hasFolder: boolean;
  readonly models: readonly ModelSummary[];
  /** `undefined`: none chosen and none to choose from. */
  readonly selectedModel?: string | undefined;
  readonly agent: AgentState;
  /** What runs in the background, oldest first. */
  readonly commands: readonly RunningCommand[];
  /** Those that are configured; empty in an untrusted workspace. */
  readonly mcpServers: readonly McpServerStatus[];
  /** The newest of those that `sessionQuery` finds, newest first. */
  readonly sessions: readonly SessionSummary[];
  /** How many it finds. */
  readonly sessionCount: number;
  /** Empty: all are found. */
  readonly sessionQuery: string;
  /** The session on screen; `undefined`: a new one that has no message yet. */
  readonly activeSessionId?: string | undefined;
  /** The check of server and model, running or done; `undefined`: none is on screen. */
  readonly doctor?: DoctorReport | undefined;
}

/** An MCP server, as far as the panel has to do with it. */
export interface McpServerStatus {
  readonly name: string;
  readonly state: 'off' | 'idle' | 'needs_consent' | 'starting' | 'connected' | 'failed';
  /** Why it failed; may be the server's words. */
  readonly reason?: string | undefined;
  /** Its tools are others than those that sessions under way have. */
  readonly hasNewTools?: boolean | undefined;
}

/** A prompt of an MCP server, called with `/server:name`. All words are the server's. */
export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  /** The names of its arguments; one that may be left out ends in `?`. */
  readonly arguments: readonly string[];
}

/** A resource of an MCP server, named with `@server:uri`. All words are the server's. */
export interface ServerResource {
  readonly server: string;
  readonly uri: string;
  readonly description: string;
}

/** A background command of this window. */
export interface RunningCommand {
  readonly id: string;
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** The last line it printed, cut; empty when there is none. */
  readonly lastLine: string;
}

/** How the agent works in this workspace, and what there is to choose from. */
export interface AgentState {
  readonly mode: PermissionMode;
  readonly profiles: readonly NamedChoice[];
  readonly agents: readonly NamedChoice[];
  /** The ids of those in use; absent: the settings alone. */
  readonly profile?: string | undefined;
  readonly agent?: string | undefined;
  /** What of the settings or the choice cannot be used, and what is used instead. */
  readonly problems: readonly string[];
}

export interface NamedChoice {
  readonly id: string;
  /** For people; may be empty. */
  readonly detail: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedMs: number;
  readonly isRunning: boolean;
  /** Its last run ended with an error. */
  readonly hasFailed: boolean;
  /** Of the command line: to be looked at and forked. */
  readonly isForeign: boolean;
  /** A program began it, through the endpoint. */
  readonly isServed?: boolean | undefined;
}

/** Facts, from the host to the webview. `seq` counts messages up by one; a gap asks for a new snapshot. */
export type ToWebview =
  | {
      readonly type: 'snapshot';
      readonly seq: number;
      readonly panel: PanelState;
      readonly session?: SessionView | undefined;
      /** What was typed and not sent. */
      readonly draft: string;
    }
  | { readonly type: 'panel_changed'; readonly seq: number; readonly panel: PanelState }
  | {
      readonly type: 'session_events';
      readonly seq: number;
      readonly sessionId: string;
      readonly events: readonly SessionEvent[];
    }
  /** A prompt comes back into the composer: it could not be sent, as `message` says, or the conversation went back. */
  | {
      readonly type: 'prompt_returned';
      readonly seq: number;
      readonly text: string;
      readonly message?: string | undefined;
      /** It comes in the place of this, where that is what the composer holds. */
      readonly replaces?: string | undefined;
    }
  /** What the MCP servers have for a prompt, as far as they answer. */
  | {
      readonly type: 'server_items';
      readonly seq: number;
      readonly prompts: readonly ServerPrompt[];
      readonly resources: readonly ServerResource[];
    }
  /** The names of files that what was typed could mean, best first. */
  | { readonly type: 'files_found'; readonly seq: number; readonly typed: string; readonly names: readonly string[] }
  | { readonly type: 'focus_composer'; readonly seq: number };
