/** Token counts as an OpenAI-compatible server reports them. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Cached tokens of the prompt; not sent if absent. */
  readonly cachedTokens?: number | undefined;
}

export interface AnswerToolCall {
  readonly id: string;
  readonly name: string;
  /** Sent as JSON. A string is sent unchanged. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

export interface ChunkHead {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
}

/** One event of a server-sent stream. */
export function sseFrame(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

export const doneFrame = sseFrame('[DONE]');

function chunk(head: ChunkHead, delta: object, finishReason: string | null): string {
  const { id, model, created } = head;
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return sseFrame({ id, object: 'chat.completion.chunk', created, model, choices });
}

export function roleFrame(head: ChunkHead): string {
  return chunk(head, { role: 'assistant', content: null }, null);
}

export function textFrame(head: ChunkHead, text: string): string {
  return chunk(head, { content: text }, null);
}

export function thinkingFrame(head: ChunkHead, text: string): string {
  return chunk(head, { reasoning_content: text }, null);
}

/** A tool call as llama.cpp streams one: id and name first, then the arguments in pieces. */
export function toolCallFrames(head: ChunkHead, index: number, call: AnswerToolCall): readonly string[] {
  const json = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
  return [
    chunk(head, { tool_calls: [start] }, null),
    ...inPieces(json, 24).map((piece) =>
      chunk(head, { tool_calls: [{ index, function: { arguments: piece } }] }, null),
    ),
  ];
}

export function finishFrame(head: ChunkHead, reason: string): string {
  return chunk(head, {}, reason);
}

/** The last chunk of a stream that was asked for with `stream_options.include_usage`: no choices. */
export function usageFrame(head: ChunkHead, usage: Usage): string {
  const { id, model, created } = head;
  return sseFrame({ id, object: 'chat.completion.chunk', created, model, choices: [], usage: wireUsage(usage) });
}

export function wireUsage(usage: Usage): object {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    ...(usage.cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: usage.cachedTokens } }),
  };
}

/** Cuts a text into pieces of a number of characters, never inside a surrogate pair. */
export function inPieces(text: string, size: number): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
