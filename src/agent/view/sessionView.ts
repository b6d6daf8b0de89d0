import type { JsonObject, JsonValue } from '../../util/json';
import type { ModelStatus, PromptProgress, ToolOutcome } from '../../sdk/events';
import type { StoredImage } from '../../sdk/session/images/storedImage';
import type { Usage } from '../../sdk/messages';
import type { SentInstruction } from './prompt/instructionSections';
import type { ApprovalOutcome, ApprovalSummary } from './approvalSummary';

/** A session as screens show it. Immutable: an item that did not change keeps its identity. */
export interface SessionView {
  readonly sessionId: string;
  readonly title: string;
  readonly state: SessionState;
  readonly items: readonly ViewItem[];
  /** The prompts that the model has not got, oldest first. Absent: none. */
  readonly waiting?: readonly WaitingItem[] | undefined;
  /** The current activity of the model server. */
  readonly activity?: Activity | undefined;
  /** The usage of the newest response. */
  readonly usage?: Usage | undefined;
  /** Given: no prompt can be sent. */
  readonly readOnly?: ReadOnlyReason | undefined;
  /** Absent for a session that has not run since it was loaded. */
  readonly context?: ContextUse | undefined;
  /** While a response streams: the index of its first item. For the fold, not for screens. */
  readonly responseStart?: number | undefined;
  /** While a response streams: when its request began, and when its first piece came. For the fold, not for screens. */
  readonly responseTimes?: ResponseTimes | undefined;
  /** While a file is loaded: the number of items before `items`, without notices. For the fold, not for screens. */
  readonly settledCount?: number | undefined;
}

export interface ResponseTimes {
  readonly requestedMs: number;
  readonly firstMs?: number | undefined;
}

export interface Activity {
  readonly status: ModelStatus;
  readonly detail?: string | undefined;
  readonly sinceMs: number;
  readonly progress?: PromptProgress | undefined;
  /** The request failed for the reason in `detail` and is repeated at `untilMs`. */
  readonly retry?: RetryState | undefined;
}

export interface RetryState {
  readonly attempt: number;
  readonly maxRetries: number;
  readonly untilMs: number;
  /** The server is gone. It is waited for since `sinceMs` of the activity, at most this long. */
  readonly goneLongestMs?: number | undefined;
}

export type ViewItem = PromptItem | TextItem | ThinkingItem | ToolItem | NoticeItem;

export interface PromptItem {
  readonly kind: 'prompt';
  readonly id: string;
  readonly text: string;
  readonly contextLabels: readonly string[];
  /** Absent: none. */
  readonly images?: readonly StoredImage[] | undefined;
  /** The project's instructions that went with it. Their labels are the first of `contextLabels`. Absent: none. */
  readonly instructions?: readonly SentInstruction[] | undefined;
  /** Sent while the agent was working. */
  readonly isSteering: boolean;
}

/** An image of a prompt, without its bytes. */
export type ShownImage = StoredImage;

/** When a prompt that is submitted during a run is sent. */
export type WhenSubmitted = 'next_step' | 'after_run';

/** `held`: the run ended before it was sent, so only the person sends it. */
export type WhenSent = WhenSubmitted | 'held';

/** A prompt that waits to be sent. */
export interface WaitingItem {
  readonly id: string;
  readonly text: string;
  readonly contextLabels: readonly string[];
  readonly when: WhenSent;
  readonly images?: readonly StoredImage[] | undefined;
}

export interface TextItem {
  readonly kind: 'text';
  readonly id: string;
  /** Markdown. */
  readonly text: string;
  readonly isStreaming: boolean;
  /** The answer ended here and is not complete. */
  readonly cut?: 'interrupted' | 'incomplete' | 'length' | undefined;
  /** How fast its response was written: as the server says, or else measured. Absent: unknown. */
  readonly tokensPerSecond?: number | undefined;
  /** From the request to the first piece of its response. Absent in a session that was loaded. */
  readonly firstTokenMs?: number | undefined;
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
  /** Of an approved call of `write_file` until it has ended. */
  readonly writes?: 'create' | 'overwrite' | undefined;
  /** The newest part of a running tool's output. */
  readonly liveOutput: string;
  /** The result for the model, as text. */
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

/** A message for the person that is not part of the conversation. */
export interface SessionNotice {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Its buttons, in order; the first is the primary one. */
  readonly actions: readonly NoticeAction[];
  /** What a run changed: the prompt that it answers. Its actions hold until the next prompt. */
  readonly promptId?: string | undefined;
}

export type NoticeAction =
  | 'retry'
  | 'continue'
  | 'openSettings'
  | 'selectModel'
  | 'setApiKey'
  | 'setUpModel'
  | 'setAddress'
  | 'checkServer'
  | 'showLog'
  | 'undoRestore'
  | 'reviewEdits'
  | 'reviewRun'
  | 'keepRun'
  | 'undoRun'
  | 'undoRepair'
  | 'forgetQuirks'
  | 'showQuirks';

/** How full the model's context window is. */
export interface ContextUse {
  /** Of the next request, without the prompt that is still to come. */
  readonly tokens: number;
  /** `false` only where the server counted. */
  readonly isEstimate: boolean;
  /** In tokens; absent: unknown. */
  readonly window?: number | undefined;
  /** What `tokens` are made of. Absent: unknown. */
  readonly sections?: ContextSections | undefined;
}

/** What fills the context window, in tokens. Estimates that add up to the whole. */
export interface ContextSections {
  readonly system: number;
  readonly tools: number;
  /** Of the project, such as `AGENTS.md`. */
  readonly instructions: number;
  /** Attached to prompts: files, selections and the like. */
  readonly files: number;
  readonly conversation: number;
  /** The results of tools. */
  readonly results: number;
}

/** Why a session is read-only here. It can always be forked. */
export interface ReadOnlyReason {
  /** `elsewhere`: open in another process · `newer`: written by a newer version · `command_line`: not the panel's. */
  readonly why: 'elsewhere' | 'newer' | 'command_line';
  /** The other process has closed it, so it can be taken over. */
  readonly canTakeOver: boolean;
}

/** `stopping`: the person has stopped the run, which has not ended yet. */
export type SessionState = 'idle' | 'running' | 'waiting_for_approval' | 'stopping';
