import * as z from 'zod';

const ToolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const Content = z
  .union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() })), z.null()])
  .optional()
  .transform((content) =>
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'),
  );

const Message = z.object({
  role: z.string(),
  content: Content,
  tool_calls: z.array(ToolCall).nullish(),
  tool_call_id: z.string().optional(),
});

/** The part of a chat completion request that the practice model reads. */
export const ChatRequest = z.object({
  messages: z.array(Message).min(1),
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.number().nullish(),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;
export type ChatMessage = ChatRequest['messages'][number];

/** A tool call of the current turn, with its result if there is one. */
export interface ToolStep {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string | undefined;
}

/** The person's last prompt, and the model's calls since. */
export interface CurrentTurn {
  readonly prompt: string;
  readonly steps: readonly ToolStep[];
  /** No assistant message comes before the prompt. */
  readonly isFirst: boolean;
}

export function currentTurn(messages: readonly ChatMessage[]): CurrentTurn {
  const start = messages.findLastIndex((message) => message.role === 'user');
  const since = messages.slice(start + 1);
  const results = new Map(since.map((message) => [message.tool_call_id, message.content]));
  return {
    prompt: messages[start]?.content ?? '',
    isFirst: !messages.slice(0, Math.max(start, 0)).some((message) => message.role === 'assistant'),
    steps: since
      .flatMap((message) => message.tool_calls ?? [])
      .map((call) => ({
        name: call.function.name,
        input: parseArguments(call.function.arguments),
        result: results.get(call.id),
      })),
  };
}

function parseArguments(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
