import type { JsonObject, JsonValue } from '../util/json';

/** A piece of the model's answer, as Markdown text. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What a reasoning model thought before it answered. Never part of the answer. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
}

/** A complete tool call: the name resolved to an offered tool where possible, the arguments parsed to an object. */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/**
 * A tool call that could not be used, or one that failed. Errors in the stream are values.
 * `rawData` is what the model sent; `toolUseId` names the call when it got far enough to have one.
 */
export interface ToolUseError {
  readonly type: 'tool_use_error';
  readonly error: string;
  readonly rawData?: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly toolName?: string | undefined;
}

export type ToolResultContent = string | JsonObject | readonly JsonValue[];

/** What a tool gave back, or why it did not run. Every `ToolUseBlock` in history has exactly one. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly toolName?: string | undefined;
  readonly content: ToolResultContent;
  readonly isError: boolean;
}

/** The blocks an assistant message is made of, in the order the model produced them. */
export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;

/** What `Client.receiveMessages` yields. */
export type ContentBlock = AssistantBlock | ToolUseError | ToolResultBlock;

/**
 * Why the model stopped. `incomplete`: the stream ended without a finish reason or `[DONE]`;
 * `interrupted`: we ended it.
 */
export type StopReason = 'stop' | 'tool_use' | 'length' | 'content_filter' | 'incomplete' | 'interrupted';

export interface UserMessage {
  readonly role: 'user';
  readonly content: string;
}

/** One model response. `content` may hold text, thinking and tool calls in any order. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (AssistantBlock | ToolUseError)[];
  readonly stopReason?: StopReason | undefined;
}

/** The answer to one tool call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: ToolResultBlock;
}

/** One message of a conversation; the system prompt is not part of it. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Token counts of one response as the server reported them; absent fields were not reported. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens the server had in its cache. */
  readonly cachedTokens?: number | undefined;
}
