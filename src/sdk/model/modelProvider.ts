import type { JsonObject } from '../../util/json';
import type { AgentErrorInfo } from '../errors';
import type { ResponseEvent } from '../events';
import type { AssistantBlock, Message, StopReason, ToolUseError, Usage } from '../messages';

/** A tool as the request names it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** Sampling values; what is `null` or absent is not sent. */
export interface Sampling {
  readonly temperature?: number | null | undefined;
  readonly topP?: number | null | undefined;
  readonly topK?: number | null | undefined;
  readonly maxTokens?: number | null | undefined;
  readonly reasoningEffort?: string | null | undefined;
  /** For templates that take `enable_thinking`. */
  readonly thinking?: boolean | null | undefined;
  /** More fields for the body; what else is set here wins over them. */
  readonly extraBody?: JsonObject | null | undefined;
}

/** One request for one response. Equal inputs give byte-equal request bodies. */
export interface ModelRequest {
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly sampling: Sampling;
  /** Which of the model's own thoughts it gets again; absent: `auto`. */
  readonly replayReasoning?: ReplayReasoning | undefined;
  /** The response must call a tool; absent: it may. Without tools it means nothing. */
  readonly toolChoice?: 'required' | undefined;
  /** What the answer must be; asked for only without tools, because servers cannot do both. */
  readonly responseFormat?: ResponseFormat | undefined;
}

/**
 * Thoughts in the history that go back to the model: `auto`, those of the current turn that stand with tool calls, as the
 * templates of reasoning models keep them there; `always`, all, for templates that keep all, so that the prompt only grows;
 * `never`, none, for servers that refuse them.
 */
export type ReplayReasoning = 'auto' | 'always' | 'never';

/** An answer that is one JSON value. */
export interface ResponseFormat {
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * What happens while a response streams. Exactly one `response_end` or `error` comes last.
 * After an `error`, what was streamed before it is in `partial`; it is empty when the request failed before its first byte.
 */
export type ModelEvent =
  | ResponseEvent
  | { readonly type: 'malformed_chunk'; readonly text: string }
  /** The server rejected something that is now said in another way; the request goes on. */
  | { readonly type: 'warning'; readonly code: 'server_quirk'; readonly message: string }
  | ({ readonly type: 'response_end' } & ModelResponse)
  | {
      readonly type: 'error';
      readonly error: AgentErrorInfo;
      readonly partial: readonly (AssistantBlock | ToolUseError)[];
      /** How long the server asks to be left alone, in milliseconds. */
      readonly retryAfterMs?: number | undefined;
    };

/** A finished response. */
export interface ModelResponse {
  readonly responseId: string;
  readonly model: string;
  readonly content: readonly (AssistantBlock | ToolUseError)[];
  readonly stopReason: StopReason;
  readonly usage?: Usage | undefined;
}

/** The port to a model. Implementations never throw and never reject: failures are events. */
export interface ModelProvider {
  /** Streams one response. Aborting `signal` closes the connection and ends with an `interrupted` error event. */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}
