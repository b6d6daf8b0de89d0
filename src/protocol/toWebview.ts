import type { StoredImage } from '../sdk/session/images/storedImage';
import type { PermissionMode } from '../agent/view/permissionModes';
import type { ConnectionState, ModelSummary } from '../agent/view/server/connectionState';
import type { ContextChip, ContextOffer, InstructionChip, WorkspaceCounts } from '../agent/view/prompt/contextChip';
import type { DoctorReport } from '../agent/view/server/doctorReport';
import type { SessionEvent } from '../agent/view/sessionEvents';
import type { SessionView } from '../agent/view/sessionView';

/** The panel's state besides the open session. */
export interface PanelState {
  readonly connection: ConnectionState;
  /** False in an untrusted workspace: then the agent only answers questions. */
  readonly isTrusted: boolean;
  /** False when no folder is open. */
  readonly hasFolder: boolean;
  readonly models: readonly ModelSummary[];
  /** `undefined`: there is no model to choose. */
  readonly selectedModel?: string | undefined;
  readonly agent: AgentState;
  /** Background commands, oldest first. */
  readonly commands: readonly RunningCommand[];
  /** The configured servers. Empty in an untrusted workspace. */
  readonly mcpServers: readonly McpServerStatus[];
  /** The newest sessions that match `sessionQuery`, newest first. */
  readonly sessions: readonly SessionSummary[];
  /** The number of all sessions that match. */
  readonly sessionCount: number;
  /** Empty: all sessions match. */
  readonly sessionQuery: string;
  /** Why the sessions could not be read. */
  readonly sessionFailure?: string | undefined;
  /** The session on screen. `undefined`: a new one without messages. */
  readonly activeSessionId?: string | undefined;
  /** The check of server and model on screen, running or done. */
  readonly doctor?: DoctorReport | undefined;
  /** The set-up of a model on this machine that runs or is paused in this window. Absent: none. */
  readonly setUp?: SetUpState | undefined;
}

/** How far the set-up of a model on this machine is. */
export interface SetUpState {
  readonly name: string;
  /** For example `model: 1.2 of 4.7 GB, 12.3 MB/s, 5 min left`. */
  readonly text: string;
  /** Only a download can be paused. */
  readonly kind: 'downloading' | 'paused' | 'starting';
  /** Another program downloads, and keeps what it has: it can be stopped, and nothing is removed. */
  readonly isForeign?: boolean | undefined;
}

/** An MCP server's state for the panel. */
export interface McpServerStatus {
  readonly name: string;
  readonly state: 'off' | 'idle' | 'needs_consent' | 'starting' | 'connected' | 'failed';
  /** Why it failed. May be the server's words. */
  readonly reason?: string | undefined;
  /** Its tools have changed since the open sessions began. */
  readonly hasNewTools?: boolean | undefined;
}

/** A prompt of an MCP server, called with `/server:name`. All texts come from the server. */
export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  /** The names of its arguments. The name of an optional one ends in `?`. */
  readonly arguments: readonly string[];
}

/** A resource of an MCP server, mentioned as `@server:uri`. All texts come from the server. */
export interface ServerResource {
  readonly server: string;
  readonly uri: string;
  readonly description: string;
}

/** A command or prompt file that is called with `/name`. */
export interface SlashCommand {
  readonly name: string;
  /** A description for people, from the file if it is one. May be empty. */
  readonly detail: string;
}

/** A background command of this window. */
export interface RunningCommand {
  readonly id: string;
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** The last line of its output, shortened. May be empty. */
  readonly lastLine: string;
}

/** The mode, agent and profile of this workspace, and the choices. */
export interface AgentState {
  readonly mode: PermissionMode;
  /** The modes to choose from. The sandbox is among them where it works. */
  readonly modes: readonly PermissionMode[];
  readonly profiles: readonly NamedChoice[];
  readonly agents: readonly NamedChoice[];
  /** The ids in use. Absent: only the settings count. */
  readonly profile?: string | undefined;
  readonly agent?: string | undefined;
  /** Settings or choices that cannot be used, and what is used instead. */
  readonly problems: readonly string[];
}

export interface NamedChoice {
  readonly id: string;
  /** A description for people. May be empty. */
  readonly detail: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedMs: number;
  readonly isRunning: boolean;
  /** Its run waits for an answer of the person. */
  readonly isWaiting?: boolean | undefined;
  /** Its last run ended with an error. */
  readonly hasFailed: boolean;
  /** From the command line: can be read and forked, not continued. */
  readonly isForeign: boolean;
  /** Started by a program through the endpoint. */
  readonly isServed?: boolean | undefined;
  /** Where a message holds what is searched. Each part is on one line; `found` is never empty. */
  readonly piece?: { readonly before: string; readonly found: string; readonly after: string } | undefined;
}

/** A suggestion for something that a prompt can name. */
export interface NamedContext {
  /** The whole text: `@src/cart.ts:9-20`. */
  readonly written: string;
  /** The word that the person looked for: `applyDiscount`. */
  readonly label: string;
  readonly detail: string;
}

/** A file, folder or symbol of the workspace, as an answer names it. */
export interface NamedPlace {
  readonly name: string;
  readonly path: string;
  /** Where a symbol is declared, from 1. */
  readonly line?: number | undefined;
}

/** Facts, from the host to the webview. `seq` grows by one a message. After a gap the webview asks for a snapshot. */
export type ToWebview =
  | {
      readonly type: 'snapshot';
      readonly seq: number;
      readonly panel: PanelState;
      readonly session?: SessionView | undefined;
      /** Typed text that was not sent. */
      readonly draft: string;
      /** Images that were not sent. Absent: none. */
      readonly attached?: readonly StoredImage[] | undefined;
    }
  | { readonly type: 'panel_changed'; readonly seq: number; readonly panel: PanelState }
  | {
      readonly type: 'session_events';
      readonly seq: number;
      readonly sessionId: string;
      readonly events: readonly SessionEvent[];
    }
  /** Returns a prompt to the composer: it could not be sent, for the reason in `message`, or the conversation went back. */
  | {
      readonly type: 'prompt_returned';
      readonly seq: number;
      readonly text: string;
      readonly message?: string | undefined;
      /** Replaces this text if the composer still holds it. */
      readonly replaces?: string | undefined;
    }
  /** All images that go with the next prompt. `message`: why the one of `attachImage` could not be attached. */
  | {
      readonly type: 'images_attached';
      readonly seq: number;
      readonly images: readonly StoredImage[];
      /** Answers `attachImage`. Absent: the images changed otherwise. */
      readonly isAnswer?: true | undefined;
      readonly message?: string | undefined;
    }
  /** The bytes of an image as a data URL. Absent: its file is missing. */
  | { readonly type: 'image_found'; readonly seq: number; readonly hash: string; readonly image?: string | undefined }
  /** Asks for a smaller image, as it is sent: `imageScaled`. `image` is a data URL. */
  | { readonly type: 'scale_image'; readonly seq: number; readonly id: string; readonly image: string }
  /** Adds a text at the end of what is typed. */
  | { readonly type: 'text_added'; readonly seq: number; readonly text: string }
  /** The prompts and resources of the MCP servers that answer. */
  | {
      readonly type: 'server_items';
      readonly seq: number;
      readonly prompts: readonly ServerPrompt[];
      readonly resources: readonly ServerResource[];
    }
  /** The commands and prompt files that can be called now. */
  | { readonly type: 'commands_listed'; readonly seq: number; readonly commands: readonly SlashCommand[] }
  /** The file names that match the typed text, best first. */
  | {
      readonly type: 'files_found';
      readonly seq: number;
      readonly typed: string;
      readonly names: readonly string[];
      /** The files are still being listed: a better answer follows. */
      readonly isPartial?: true | undefined;
      /** Those that are open in an editor, the active one first. */
      readonly open?: readonly string[] | undefined;
      /** Code, branches and commits that the typed text names. They come later than the files. */
      readonly others?: readonly NamedContext[] | undefined;
    }
  /** What the prompt in the composer names, and what the editor offers for it. */
  | {
      readonly type: 'context_changed';
      readonly seq: number;
      readonly chips: readonly ContextChip[];
      readonly offer?: ContextOffer | undefined;
      /** The project's instructions for a new session, and all places whose instructions are switched off. Absent: none. */
      readonly instructions?: readonly InstructionChip[] | undefined;
      readonly instructionsOff?: readonly string[] | undefined;
      /** For the suggestions of an empty session. */
      readonly counts?: WorkspaceCounts | undefined;
    }
  /** An answer to `findPlaces`: the names that lead to something, with its display path. Symbols come later than files. */
  | { readonly type: 'places_found'; readonly seq: number; readonly places: readonly NamedPlace[] }
  /** Asks for `copyText` of a prompt or a whole answer. Without `itemId`: the newest answer. */
  | {
      readonly type: 'copy_message';
      readonly seq: number;
      readonly itemId?: string | undefined;
      readonly format: 'text' | 'markdown';
    }
  /** The texts that the person sent in the sessions of this workspace, newest first. */
  | { readonly type: 'prompts_listed'; readonly seq: number; readonly prompts: readonly string[] }
  | { readonly type: 'focus_composer'; readonly seq: number };
