import type { Usage } from '../../sdk/messages';
import type { FinishReason, ReplyPart, ToolActivity } from './reply';

/** The fields that every chunk and every whole answer begin with. */
export interface ReplyHead {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** Token counts under OpenAI's names. */
interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
}

export function wireUsage({ promptTokens, completionTokens, cachedTokens }: Usage): WireUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
}

/** The first chunk of a stream. */
export function roleChunk(head: ReplyHead): object {
  return chunk(head, { role: 'assistant', content: '' });
}

/** A piece of the answer. Tool activity stands in an extra field that other clients ignore. */
export function partChunk(head: ReplyHead, part: ReplyPart): object {
  switch (part.type) {
    case 'text':
      return chunk(head, { content: part.text });
    case 'thinking':
      return chunk(head, { reasoning_content: part.text });
    case 'tool':
      return { ...chunk(head, {}), open_agent: { tool: part.tool } };
    default:
      return part satisfies never;
  }
}

/**
 * The chunks that end a stream. `usage` sums the model server's counts over the whole run; absent when the server counted
 * nothing. With `wantsUsageChunk` it comes in a chunk of its own.
 */
export function finishChunks(
  head: ReplyHead,
  finishReason: FinishReason,
  usage: Usage | undefined,
  options: { readonly wantsUsageChunk: boolean },
): readonly object[] {
  const counts = usage && { usage: wireUsage(usage) };
  const finish = chunk(head, {}, finishReason);
  if (!options.wantsUsageChunk) return [{ ...finish, ...counts }];
  return counts ? [finish, { ...base(head), choices: [], ...counts }] : [finish];
}

/** The whole answer, for callers that do not stream. */
export function completion(
  head: ReplyHead,
  parts: readonly ReplyPart[],
  finishReason: FinishReason,
  usage: Usage | undefined,
): object {
  const textOf = (type: 'text' | 'thinking'): string =>
    parts.map((part) => (part.type === type ? part.text : '')).join('');
  const reasoning = textOf('thinking');
  const message = {
    role: 'assistant',
    content: textOf('text'),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
  };
  const tools = lastStates(parts);
  return {
    ...base(head, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReason }],
    ...(usage && { usage: wireUsage(usage) }),
    ...(tools.length > 0 && { open_agent: { tools } }),
  };
}

function lastStates(parts: readonly ReplyPart[]): readonly ToolActivity[] {
  const tools = new Map<string, ToolActivity>();
  for (const part of parts) if (part.type === 'tool') tools.set(part.tool.id, part.tool);
  return [...tools.values()];
}

function chunk(head: ReplyHead, delta: object, finishReason: FinishReason | null = null): object {
  return { ...base(head), choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function base({ id, model, created }: ReplyHead, object = 'chat.completion.chunk'): object {
  return { id, object, created, model };
}
