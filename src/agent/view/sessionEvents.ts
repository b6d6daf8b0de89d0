import type { AgentEvent } from '../../sdk/events';
import type { SessionView } from './sessionView';
import type { AgentErrorInfo } from '../../sdk/errors';

/** A piece of the editor that went along with a prompt. */
export interface PromptContext {
  /** For people: `src/main.ts:3-9`. */
  readonly label: string;
  /** What the model gets: path, line numbers and text. */
  readonly content: string;
}

/** What is shown of an approval request while it is open. */
export interface ApprovalSummary {
  readonly requestId: string;
  readonly toolUseId: string;
  readonly kind: 'edit' | 'command' | 'read' | 'mcp' | 'extension';
  readonly reason: string;
  /** It could run programs or give secrets away: yes must not be at hand. */
  readonly isSensitive?: boolean | undefined;
  /** Where it was wanted, if not in the panel: by a program, or in the editor's own chat. */
  readonly askedBy?: 'endpoint' | 'chat' | undefined;
  /** What can be allowed from now on, as texts of rules, and for how long. Absent: nothing. */
  readonly remember?:
    { readonly rules: readonly string[]; readonly scopes: readonly ('session' | 'workspace')[] } | undefined;
  /** Ordinary edits can be accepted for the rest of the run. */
  readonly offersAcceptEdits?: boolean | undefined;
  /** Command only: what its parts start, in their order. */
  readonly programs?: readonly string[] | undefined;
  /** Edit: the file. Command: the folder it runs in. Empty for a tool of an MCP server or another extension. */
  readonly displayPath: string;
  /** Edit only. */
  readonly operation?: 'edit' | 'create' | 'overwrite' | undefined;
  /** Edit only: unified diff of the proposal, bounded. */
  readonly diff?: string | undefined;
  readonly addedLines?: number | undefined;
  readonly removedLines?: number | undefined;
  /** Edit only: its hunks, in order, where there are several and each can be decided about. */
  readonly hunks?: readonly HunkSummary[] | undefined;
  /** Edit only: what to look at before allowing it, one sentence each. */
  readonly warnings?: readonly string[] | undefined;
  /** Command only: the whole command. */
  readonly command?: string | undefined;
  /** Command only: how it runs where that is not the usual way, a few words each. */
  readonly conditions?: readonly string[] | undefined;
  /** Tool of an MCP server only. `arguments`: all of them, as JSON over several lines. */
  readonly serverTool?: { readonly server: string; readonly tool: string; readonly arguments: string } | undefined;
  /** Tool of another extension only. `extension`: its id; `null`: VS Code itself. `arguments` as above. */
  readonly extensionTool?:
    { readonly extension: string | null; readonly tool: string; readonly arguments: string } | undefined;
}

export interface HunkSummary {
  /** Unified diff of this hunk alone, bounded. */
  readonly diff: string;
  readonly state: HunkState;
}

/** `open`: nobody has decided. An `open` hunk is applied with the edit, as an `accepted` one is. */
export type HunkState = 'open' | 'accepted' | 'rejected';

export type ApprovalOutcome = 'allowed' | 'allowed_with_changes' | 'denied' | 'expired';

/** Something the person should know that is not part of the conversation. */
export interface SessionNotice {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Buttons the notice offers, in order; the first is the primary one. */
  readonly actions: readonly NoticeAction[];
}

export type NoticeAction =
  | 'retry'
  | 'continue'
  | 'openSettings'
  | 'selectModel'
  | 'setApiKey'
  | 'checkServer'
  | 'showLog'
  | 'undoRestore'
  | 'reviewEdits'
  | 'forgetQuirks'
  | 'showQuirks';

/** How full the model's context window is. */
export interface ContextUse {
  /** Of the next request, without what is still to be said. */
  readonly tokens: number;
  /** `false` only where the server counted. */
  readonly isEstimate: boolean;
  /** In tokens; absent when nobody knows. */
  readonly window?: number | undefined;
}

/** Why nothing can be said in a session here; it can always be forked. */
export interface ReadOnlyReason {
  /** `elsewhere`: another window or process has it · `newer`: its file is of a newer version · `command_line`: not the panel's. */
  readonly why: 'elsewhere' | 'newer' | 'command_line';
  /** Whoever had it has let it go, so that it can be taken over. */
  readonly canTakeOver: boolean;
}

/** Where a session is in its life. `stopping`: the person asked, the run has not ended yet. */
export type SessionState = 'idle' | 'running' | 'waiting_for_approval' | 'stopping';

/** Everything a screen needs to follow a session. `ts` is milliseconds since the epoch, from the host's clock. */
export type SessionEvent =
  | {
      readonly type: 'prompt_added';
      /** The entry's id: what a branch starts from. */
      readonly id: string;
      readonly text: string;
      readonly contextLabels: readonly string[];
      readonly ts: number;
    }
  /** More goes along with a prompt than the person put there; all labels, in order. */
  | {
      readonly type: 'prompt_context';
      readonly id: string;
      readonly contextLabels: readonly string[];
      readonly ts: number;
    }
  | { readonly type: 'agent'; readonly event: AgentEvent; readonly ts: number }
  | { readonly type: 'approval_requested'; readonly approval: ApprovalSummary; readonly ts: number }
  /** What was decided about the hunks of an edit so far. */
  | {
      readonly type: 'hunks_changed';
      readonly requestId: string;
      readonly toolUseId: string;
      readonly states: readonly HunkState[];
      readonly ts: number;
    }
  | {
      readonly type: 'approval_resolved';
      readonly requestId: string;
      readonly toolUseId: string;
      readonly outcome: ApprovalOutcome;
      /** The person's words, when they denied. */
      readonly reason?: string | undefined;
      readonly ts: number;
    }
  | { readonly type: 'state_changed'; readonly state: SessionState; readonly ts: number }
  /** The conversation went to another branch: this is what a screen shows of it. */
  | { readonly type: 'branch_changed'; readonly view: SessionView; readonly ts: number }
  | ({ readonly type: 'context'; readonly ts: number } & ContextUse)
  | { readonly type: 'titled'; readonly title: string; readonly ts: number }
  | { readonly type: 'notice'; readonly notice: SessionNotice; readonly ts: number }
  | { readonly type: 'notice_dismissed'; readonly id: string; readonly ts: number }
  | { readonly type: 'read_only_changed'; readonly readOnly: ReadOnlyReason; readonly ts: number }
  | { readonly type: 'failed'; readonly error: AgentErrorInfo; readonly ts: number };
