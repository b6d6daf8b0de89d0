import type { JsonObject, JsonValue } from '../util/json';
import type { AgentErrorInfo } from './errors';
import type { WaitingCall } from './waiting/waitingCall';
import type {
  AssistantBlock,
  AssistantMessage,
  StopReason,
  ToolResultBlock,
  ToolUseError,
  Usage,
  UserContent,
} from './messages';

/** What the model server is doing. Shown with the time since it began. */
export type ModelStatus = 'queued' | 'connecting' | 'loading_model' | 'prefilling' | 'generating' | 'stalled';

/**
 * How much of the prompt the server has read, in tokens. `processed` includes the cached ones. Source: llama-server's
 * `prompt_progress`.
 */
export interface PromptProgress {
  readonly total: number;
  readonly processed: number;
  readonly cached: number;
  /** How long the server has read, in milliseconds. Absent: not reported. */
  readonly elapsedMs?: number | undefined;
}

/**
 * Why a run ended. `limit`: `maxToolIterations` was reached and the model still wanted tools · `waiting`: a hook waits for an answer,
 * and the calls have no results yet.
 */
export type RunOutcome = 'completed' | 'interrupted' | 'limit' | 'error' | 'waiting';

/**
 * `threshold`: the context window was nearly full · `overflow`: the server had refused the request as too long ·
 * `requested`: by `Client.compact`.
 */
export type CompactionReason = 'threshold' | 'overflow' | 'requested';

/** The replacement for the older part of a history. */
export interface Compaction {
  /** A user message instead of the messages that were left out. Empty: none were left out. */
  readonly summary: string;
  /** How many of the newest messages stay. */
  readonly keptMessages: number;
  /** Longer tool results among them are cut to this many characters. Absent: none are cut. */
  readonly maxResultCharacters?: number | undefined;
  /** The images among them are replaced by notes: those before the newest user message, or all. Absent: none are. */
  readonly dropsImages?: 'earlier' | 'all' | undefined;
}

/** A failed request is about to be repeated: `attempt` of `maxRetries`, after `delayMs`. */
export interface RetryNotice {
  readonly type: 'retry';
  readonly attempt: number;
  readonly maxRetries: number;
  readonly delayMs: number;
  /** The failure. */
  readonly error: AgentErrorInfo;
  /** The server has answered before and is gone. Absent: another failure. */
  readonly gone?: GoneServer | undefined;
}

/** How long a server that is gone was waited for, and how long it will be at most, in milliseconds. */
export interface GoneServer {
  readonly waitedMs: number;
  readonly longestMs: number;
}

/** The events of a streaming response, from the provider and passed on by the run. */
export type ResponseEvent =
  | { readonly type: 'status'; readonly status: ModelStatus; readonly detail?: string | undefined }
  | { readonly type: 'prompt_progress'; readonly progress: PromptProgress }
  | { readonly type: 'text_delta'; readonly block: number; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly block: number; readonly text: string }
  | { readonly type: 'tool_use_start'; readonly block: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool_use_delta'; readonly block: number; readonly id: string; readonly argumentsDelta: string }
  | { readonly type: 'block_end'; readonly block: number; readonly content: AssistantBlock | ToolUseError }
  | RetryNotice;

/** `hook`: a Stop hook wrote it. */
export type UserMessageOrigin = 'prompt' | 'steer' | 'hook';

/**
 * Everything that happens in a run, in order, as plain data.
 *
 * A run is `run_start`, any number of steps, `run_end`. A step is `step_start`, deltas and `block_end`s of one model
 * response, one `assistant_message` (what went into history), for each of its tool calls `tool_execution_start` …
 * `tool_execution_end`, then `step_end`. A response that failed before its first byte has no `assistant_message`.
 * Hooks are asked before `tool_execution_start`, which carries the arguments as they came out of them; the tool itself
 * starts only when the consumer, having taken that event, asks for the next. A call that does not execute has both
 * events, one after the other. Calls of a group (`Tool.touches`) or side by side (`Tool.parallel`) may all start before the
 * first of them ends; they end in their order. `user_message`, `assistant_message` and `tool_execution_end`, in order, are the history.
 * A `compaction` comes before the request it makes room for and replaces the history: see `applyCompaction`.
 * `block` counts the blocks of one response from 0; a block's deltas come before its `block_end` and never after.
 */
export type AgentEvent =
  | { readonly type: 'run_start'; readonly prompt: string }
  | {
      readonly type: 'user_message';
      readonly text: string;
      readonly origin: UserMessageOrigin;
      /** The whole content, if there are images in it. */
      readonly content?: UserContent | undefined;
    }
  | { readonly type: 'step_start'; readonly step: number }
  | ResponseEvent
  | {
      readonly type: 'assistant_message';
      readonly message: AssistantMessage;
      /** As the server named them; empty for a message that the client wrote itself. */
      readonly responseId: string;
      readonly model: string;
      readonly usage?: Usage | undefined;
    }
  | {
      readonly type: 'tool_execution_start';
      readonly toolUseId: string;
      readonly toolName: string;
      readonly input: JsonObject;
    }
  | { readonly type: 'tool_execution_progress'; readonly toolUseId: string; readonly output: string }
  | {
      readonly type: 'tool_execution_end';
      readonly toolUseId: string;
      readonly outcome: ToolOutcome;
      readonly result: ToolResultBlock;
      /** Extra data for screens. Never sent to the model. */
      readonly display?: JsonValue | undefined;
    }
  | { readonly type: 'usage'; readonly usage: Usage }
  | ({ readonly type: 'compaction'; readonly reason: CompactionReason } & Compaction & {
        /** Estimates for the request, in tokens. */
        readonly tokensBefore: number;
        readonly tokensAfter: number;
        readonly contextWindow: number;
      })
  | { readonly type: 'warning'; readonly code: WarningCode; readonly message: string }
  | { readonly type: 'step_end'; readonly step: number; readonly stopReason: StopReason }
  /**
   * After the step whose answer does not match `outputSchema`. `error` names every wrong field. `willCorrect`: the model gets it
   * and answers again. Otherwise the run ends with `invalid_output`.
   */
  | { readonly type: 'output_rejected'; readonly error: string; readonly willCorrect: boolean }
  | {
      readonly type: 'run_end';
      readonly outcome: RunOutcome;
      readonly error?: AgentErrorInfo | undefined;
      /** With the outcome `waiting`. */
      readonly waiting?: readonly WaitingCall[] | undefined;
    };

/** How one tool call ended. */
export type ToolOutcome = 'succeeded' | 'failed' | 'denied' | 'interrupted';

/** What a warning is about. Its message says it for people. */
export type WarningCode =
  | 'max_tool_iterations'
  | 'incomplete_response'
  | 'malformed_chunk'
  | 'server_quirk'
  | 'repeated_call'
  | 'hook_failed'
  | 'prompt_truncated'
  | 'sampled_again';
