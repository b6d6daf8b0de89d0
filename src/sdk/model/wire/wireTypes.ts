import type { JsonObject } from '../../../util/json';

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** See `ToolUseBlock`. Never sent. */
  readonly written?: string;
}

export type WirePart =
  | { readonly type: 'text'; readonly text: string }
  /** `url` is always a data URL. */
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** A text, or parts where there are images. */
export type WireContent = string | readonly WirePart[];

/** A message of chat completions. `content` is a string, except for servers that want `null` beside tool calls. */
export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: WireContent }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly WireToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: WireContent };

export interface WireTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/** The body of a request. The messages come last, so a longer conversation only adds to the end. */
export interface WireRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly stream_options?: { readonly include_usage: true };
  readonly return_progress?: true;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly reasoning_effort?: string;
  readonly chat_template_kwargs?: JsonObject;
  readonly response_format?: JsonObject;
  readonly max_tokens?: number;
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: 'required';
  readonly messages: readonly WireMessage[];
}
