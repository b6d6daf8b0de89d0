import type { JsonObject } from '../../util/json';
import type { AgentErrorInfo } from '../errors';
import type { ResponseEvent } from '../events';
import type { AssistantBlock, Message, StopReason, ToolUseError, Usage } from '../messages';
import type { Signal } from '../platform';

/** A tool in a request. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** Sampling values. `null` and absent ones are not sent. */
export interface Sampling {
  readonly temperature?: number | null | undefined;
  readonly topP?: number | null | undefined;
  readonly topK?: number | null | undefined;
  readonly maxTokens?: number | null | undefined;
  readonly reasoningEffort?: string | null | undefined;
  /** For templates with `enable_thinking`. */
  readonly thinking?: boolean | null | undefined;
  /** Extra fields of the body. The other fields here win over them. */
  readonly extraBody?: JsonObject | null | undefined;
}

/** One request for one response. Equal inputs give byte-equal request bodies. */
export interface ModelRequest {
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly sampling: Sampling;
  /** Which of its own thinking the model gets again. Absent: `auto`. */
  readonly replayReasoning?: ReplayReasoning | undefined;
  /** The response must call a tool. Absent: it may. Ignored without tools. */
  readonly toolChoice?: 'required' | undefined;
  /** Describes the tools in text, whatever the server takes. */
  readonly toolsAsText?: true | undefined;
  /** The form of the answer. Only used without tools, because servers cannot do both. */
  readonly responseFormat?: ResponseFormat | undefined;
}

/**
 * Which thinking in the history goes back to the model. `auto`: that of the current turn beside tool calls, as
 * templates of reasoning models keep it · `always`: all, for templates that keep all, so the prompt only grows ·
 * `never`: none, for servers that reject it.
 */
export type ReplayReasoning = 'auto' | 'always' | 'never';

/** An answer that is one JSON value. */
export interface ResponseFormat {
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * The events of a streaming response. Exactly one `response_end` or `error` comes last. `partial` has the blocks
 * before an `error`; it is empty when the request failed before its first byte.
 */
export type ModelEvent =
  | ResponseEvent
  | { readonly type: 'malformed_chunk'; readonly text: string }
  /** The server rejected a part of the request, which is now sent in another form. */
  | { readonly type: 'warning'; readonly code: 'server_quirk'; readonly message: string }
  | ({ readonly type: 'response_end' } & ModelResponse)
  | {
      readonly type: 'error';
      readonly error: AgentErrorInfo;
      readonly partial: readonly (AssistantBlock | ToolUseError)[];
      /** The response that broke off, as far as the server named it. Absent before its first byte. */
      readonly response?: Pick<ModelResponse, 'responseId' | 'model' | 'usage'> | undefined;
      /** How long the server asks to wait, in milliseconds. */
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
  stream(request: ModelRequest, options: { readonly signal: Signal }): AsyncIterable<ModelEvent>;
}
