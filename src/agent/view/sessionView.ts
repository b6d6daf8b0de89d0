import type { JsonObject, JsonValue } from '../../util/json';
import type { ModelStatus, PromptProgress, ToolOutcome } from '../../sdk/events';
import type { Usage } from '../../sdk/messages';
import type { ApprovalOutcome, ApprovalSummary } from './approvalSummary';

/** What a screen shows of one session. Immutable: an item that did not change keeps its identity. */
export interface SessionView {
  readonly sessionId: string;
  readonly title: string;
  readonly state: SessionState;
  readonly items: readonly ViewItem[];
  /** What the model server is doing, while it does. */
  readonly activity?: Activity | undefined;
  /** Of the newest response. */
  readonly usage?: Usage | undefined;
  /** Nothing can be said here. */
  readonly readOnly?: ReadOnlyReason | undefined;
  /** Absent for a session that has not run since it was loaded. */
  readonly context?: ContextUse | undefined;
  /** While a response streams: the index in `items` where it begins. For the fold, not for screens. */
  readonly responseStart?: number | undefined;
  /** While a file is loaded: how many items, notices left out, came before those in `items`. For the fold as well. */
  readonly settledCount?: number | undefined;
}

export interface Activity {
  readonly status: ModelStatus;
  readonly detail?: string | undefined;
  readonly sinceMs: number;
  readonly progress?: PromptProgress | undefined;
  /** The request failed, for the reason in `detail`, and is made again at `untilMs`. */
  readonly retry?: { readonly attempt: number; readonly maxRetries: number; readonly untilMs: number } | undefined;
}

export type ViewItem = PromptItem | TextItem | ThinkingItem | ToolItem | NoticeItem;

export interface PromptItem {
  readonly kind: 'prompt';
  readonly id: string;
  readonly text: string;
  readonly contextLabels: readonly string[];
  /** Sent while the agent was working. */
  readonly isSteering: boolean;
}

export interface TextItem {
  readonly kind: 'text';
  readonly id: string;
  /** Markdown. */
  readonly text: string;
  readonly isStreaming: boolean;
  /** The answer ended here without being finished. */
  readonly cut?: 'interrupted' | 'incomplete' | 'length' | undefined;
}

export interface ThinkingItem {
  readonly kind: 'thinking';
  readonly id: string;
  readonly text: string;
  readonly isStreaming: boolean;
  readonly startedMs: number;
  readonly endedMs?: number | undefined;
}

/** `writing`: the model is still writing the arguments · `ready`: complete, not started. */
export type ToolItemState = 'writing' | 'ready' | 'awaiting_approval' | 'running' | ToolOutcome | 'outcome_unknown';

export interface ToolItem {
  readonly kind: 'tool';
  /** The tool use's id. */
  readonly id: string;
  readonly toolName: string;
  readonly state: ToolItemState;
  /** The raw arguments while they stream. */
  readonly argumentsText: string;
  readonly input?: JsonObject | undefined;
  readonly approval?: ApprovalSummary | undefined;
  readonly approvalOutcome?: ApprovalOutcome | undefined;
  readonly denialReason?: string | undefined;
  /** What a running tool printed so far, bounded to its newest part. */
  readonly liveOutput: string;
  /** What the model got, as text. */
  readonly result?: string | undefined;
  readonly display?: JsonValue | undefined;
  readonly startedMs?: number | undefined;
  readonly endedMs?: number | undefined;
}

export interface NoticeItem {
  readonly kind: 'notice';
  readonly id: string;
  readonly notice: SessionNotice;
}

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
