import type { JsonObject } from '../../util/json';

/** A tool call in a message of chat completions. `arguments` is JSON text. */
export interface OpenAIToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A part of a message of chat completions. `url` is a data URL. */
export type OpenAIPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** A message of chat completions, in the shape that the `openai` package takes. */
export type OpenAIMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | OpenAIPart[] }
  | {
      role: 'assistant';
      content: string | null;
      /** The thinking of a reasoning model, as llama-server and vLLM name it. */
      reasoning_content?: string;
      tool_calls?: OpenAIToolCall[];
    }
  | { role: 'tool'; tool_call_id: string; content: string };

/** A tool of chat completions, in the shape that the `openai` package takes. */
export interface OpenAITool {
  type: 'function';
  function: { name: string; description: string; parameters: JsonObject };
}
