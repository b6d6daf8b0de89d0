import type { JsonObject, JsonValue } from '../util/json';
import type { WaitingCall } from './waiting/waitingCall';

/** A piece of the model's answer, as Markdown text. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** The thinking of a reasoning model before its answer. Never part of the answer. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
}

/** A complete tool call. The name is that of an offered tool where one matches, and the arguments are parsed. */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /**
   * The call as the model wrote it, with the white space before it. Only where the tools are described in text, so that the
   * server finds these words in its cache again.
   */
  readonly written?: string | undefined;
}

/**
 * A tool call that could not be used, or one that failed. `rawData` is the model's text. `toolUseId` is absent when
 * the call broke off before its id.
 */
export interface ToolUseError {
  readonly type: 'tool_use_error';
  readonly error: string;
  readonly rawData?: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly toolName?: string | undefined;
}

/** What a tool returned: a text, or JSON. */
export type ToolResultContent = string | JsonObject | readonly JsonValue[];

/** A text of a user message. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/**
 * An image of a user message or of a tool's result: a PNG, JPEG, WebP or GIF. The history has it as a data URL. An address
 * of another kind is refused, because nothing is fetched.
 */
export interface ImagePart {
  readonly type: 'image';
  /** A data URL, or the bytes of the file. */
  readonly image: string | Uint8Array;
  /** Default: what the bytes say. */
  readonly mediaType?: string | undefined;
  /** For people: the name of the file. */
  readonly name?: string | undefined;
}

/** A part of a user message. */
export type UserPart = TextPart | ImagePart;

/** The content of a user message: a text, or texts and images in any order. */
export type UserContent = string | readonly UserPart[];

/** The result of a tool, or why it did not run. Every `ToolUseBlock` in the history has exactly one. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly toolName?: string | undefined;
  readonly content: ToolResultContent;
  /** Images that belong to the result. */
  readonly images?: readonly ImagePart[] | undefined;
  readonly isError: boolean;
}

/** The blocks an assistant message is made of, in the order the model produced them. */
export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;

/**
 * The last block of a turn that a limit ended, so its answer is not whole. `max_tool_iterations`: the model still wanted tools ·
 * `length`: the answer reached its length limit · `content_filter`: the server left something out. Never part of the history.
 */
export interface LimitBlock {
  readonly type: 'limit';
  readonly limit: 'max_tool_iterations' | 'length' | 'content_filter';
  /** For people: says what happened and the way out. */
  readonly message: string;
}

/**
 * The text before it is no answer, because it does not match `outputSchema`: `error` names every wrong field. `willCorrect`: the
 * text after it is the model's next try. Otherwise no text follows. Never part of the history.
 */
export interface OutputRejectedBlock {
  readonly type: 'output_rejected';
  readonly error: string;
  readonly willCorrect: boolean;
}

/** The last block of a turn that ended because a hook waits for answers to these calls: see `Client.waiting`. */
export interface WaitingBlock {
  readonly type: 'waiting';
  readonly calls: readonly WaitingCall[];
}

/** The blocks that `Client.receiveMessages` yields. */
export type ContentBlock =
  AssistantBlock | ToolUseError | ToolResultBlock | LimitBlock | OutputRejectedBlock | WaitingBlock;

/**
 * Why the model stopped. `incomplete`: the stream ended without a finish reason or `[DONE]` · `interrupted`: the
 * client ended it.
 */
export type StopReason = 'stop' | 'tool_use' | 'length' | 'content_filter' | 'incomplete' | 'interrupted';

/** A prompt, or a message to a run. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: UserContent;
}

/** One model response. `content` may hold text, thinking and tool calls in any order. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (AssistantBlock | ToolUseError)[];
  readonly stopReason?: StopReason | undefined;
}

/** The result of one tool call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: ToolResultBlock;
}

/** One message of a conversation; the system prompt is not part of it. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Token counts of one response, as the server reported them. Absent: not reported. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens the server had in its cache. */
  readonly cachedTokens?: number | undefined;
  /** Tokens per second: of the prompt without the cached ones, and of the answer. Source: llama-server's `timings`. */
  readonly readPerSecond?: number | undefined;
  readonly writtenPerSecond?: number | undefined;
}
