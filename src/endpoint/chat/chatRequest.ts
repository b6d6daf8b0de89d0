import * as z from 'zod';
import type { SamplingWishes } from '../../agent/configuration/sessionClient';
import { isBlank, joinContents } from '../../sdk/images/imagePart';
import type { AssistantMessage, Message, UserContent } from '../../sdk/messages';
import { isJsonObject, type JsonObject } from '../../util/json';
import { invalidRequest, type ApiError } from '../http/apiError';
import { readResponseFormat, type AnswerFormat } from './responseFormat';
import { readUserContent } from './userContent';
import { fieldsPassedOver, unsupportedField } from './requestFields';

/** The only model that the endpoint offers: the agent itself. */
export const MODEL_ID = 'open-agent';

/** The error for another model. */
export function noModel(id: string): ApiError {
  const message = `There is no model "${id.slice(0, 100)}" here. The model is "${MODEL_ID}".`;
  return invalidRequest(message, { status: 404, code: 'model_not_found', param: 'model' });
}

/** A parsed request. */
export interface ChatRequest {
  readonly stream: boolean;
  /** The caller wants usage in a chunk of its own (`stream_options.include_usage`). */
  readonly wantsUsageChunk: boolean;
  /** The caller's system messages, joined; empty: none. */
  readonly systemPrompt: string;
  /** The messages before `prompt`. Each tool call in them has its result. */
  readonly history: readonly Message[];
  readonly prompt: UserContent;
  /** The most tokens of the whole answer. */
  readonly maxTokens?: number | undefined;
  readonly sampling: SamplingWishes;
  /** The answer ends before the first of these texts. Absent: none. */
  readonly stop?: readonly string[] | undefined;
  /** The answer is one JSON value. Absent: text. */
  readonly format?: AnswerFormat | undefined;
  /** Names of request fields without effect. */
  readonly passedOver: readonly string[];
}

export type ParsedChatRequest =
  { readonly ok: true; readonly request: ChatRequest } | { readonly ok: false; readonly error: ApiError };

const MAX_TOKENS = 1_000_000;
/** As in OpenAI's API. */
const MAX_STOP_SEQUENCES = 4;
const MAX_STOP_LENGTH = 1_000;

const Content = z.union([
  z.string(),
  z.array(z.union([z.string(), z.looseObject({ type: z.string().optional(), text: z.string().optional() })])),
]);

const ToolCall = z.looseObject({
  id: z.string().min(1),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
});

const WireMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: Content }),
  z.looseObject({ role: z.literal('developer'), content: Content }),
  z.looseObject({ role: z.literal('user'), content: Content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: Content.nullish(),
    tool_calls: z.array(ToolCall).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: Content, tool_call_id: z.string().min(1) }),
]);

const tokenLimit = z.int().min(1).max(MAX_TOKENS).nullish();

const stopSequence = z.string().max(MAX_STOP_LENGTH);

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(WireMessage).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  top_k: z.int().min(0).max(1_000_000).nullish(),
  seed: z.int().nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  reasoning_effort: z
    .string()
    .regex(/^[a-z]{1,20}$/)
    .nullish(),
  stop: z.union([stopSequence, z.array(stopSequence).max(MAX_STOP_SEQUENCES)]).nullish(),
});

/** The sampling fields that are given, under our names. */
function samplingOf(body: z.infer<typeof Body>): SamplingWishes {
  const { temperature, top_p, top_k, seed, frequency_penalty, presence_penalty, reasoning_effort } = body;
  return {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { topP: top_p }),
    ...(typeof top_k === 'number' && { topK: top_k }),
    ...(typeof seed === 'number' && { seed }),
    ...(typeof frequency_penalty === 'number' && { frequencyPenalty: frequency_penalty }),
    ...(typeof presence_penalty === 'number' && { presencePenalty: presence_penalty }),
    ...(typeof reasoning_effort === 'string' && { reasoningEffort: reasoning_effort }),
  };
}

/**
 * Parses the body of `POST /v1/chat/completions`. Rejects fields that ask for something unsupported. Names unknown fields in
 * `passedOver`, since many clients send some.
 */
export function parseChatRequest(body: unknown): ParsedChatRequest {
  if (isJsonObject(body) && typeof body['model'] === 'string' && body['model'] !== MODEL_ID) {
    return { ok: false, error: noModel(body['model']) };
  }
  const unsupported = isJsonObject(body) ? unsupportedField(body) : undefined;
  if (unsupported) return { ok: false, error: unsupported };
  const parsed = Body.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join('.') ?? '';
    const message = issue?.message ?? 'not a request';
    return refused(`${path === '' ? 'The body' : path}: ${message}`, path === '' ? {} : { param: path });
  }
  const { messages, stream, stream_options, max_tokens, max_completion_tokens } = parsed.data;
  const conversation = readMessages(messages);
  if ('problem' in conversation) return refused(conversation.problem, { param: 'messages' });
  const answer = readResponseFormat(parsed.data['response_format']);
  if (!answer.ok) return refused(answer.problem, { param: 'response_format' });
  const maxTokens = max_completion_tokens ?? max_tokens;
  const stop = [parsed.data.stop ?? []].flat().filter((sequence) => sequence !== '');
  if (stop.length > 0 && answer.format) {
    return refused('stop: it would cut the JSON of response_format. Leave one of them out.', { param: 'stop' });
  }
  return {
    ok: true,
    request: {
      stream: stream ?? false,
      wantsUsageChunk: stream_options?.include_usage ?? false,
      ...conversation,
      ...(typeof maxTokens === 'number' && { maxTokens }),
      sampling: samplingOf(parsed.data),
      ...(stop.length > 0 && { stop }),
      ...(answer.format && { format: answer.format }),
      passedOver: fieldsPassedOver(body as JsonObject),
    },
  };
}

type WireMessage = z.infer<typeof WireMessage>;

type ReadMessages = Pick<ChatRequest, 'systemPrompt' | 'history' | 'prompt'>;

function readMessages(messages: readonly WireMessage[]): ReadMessages | { readonly problem: string } {
  const system: string[] = [];
  const history: Message[] = [];
  /** Tool calls without a result yet, by id. */
  const open = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user' && open.size === 0) {
      const read = readUserContent(message.content);
      if (!read.ok) return { problem: `messages.${index}.content: ${read.problem}` };
      addUser(history, read.content);
      continue;
    }
    const text = flatten(message.content);
    if (text === undefined) return { problem: `messages.${index}.content: only text is supported.` };
    if (message.role === 'system' || message.role === 'developer') {
      if (text.trim() !== '') system.push(text);
      continue;
    }
    if (message.role === 'tool') {
      const toolName = open.get(message.tool_call_id);
      if (toolName === undefined) {
        return { problem: `messages.${index}.tool_call_id: no open tool call has the id "${message.tool_call_id}".` };
      }
      open.delete(message.tool_call_id);
      const toolUseId = message.tool_call_id;
      history.push({
        role: 'tool',
        content: { type: 'tool_result', toolUseId, toolName, content: text, isError: false },
      });
      continue;
    }
    if (open.size > 0) return { problem: withoutResult(open) };
    if (message.role === 'user') continue;
    const assistant = readAssistant(message, text);
    if (typeof assistant === 'string') return { problem: `messages.${index}.tool_calls: ${assistant}` };
    for (const block of assistant.content) if (block.type === 'tool_use') open.set(block.id, block.name);
    if (assistant.content.length > 0) history.push(assistant);
  }
  const last = history.pop();
  if (open.size > 0) return { problem: withoutResult(open) };
  if (last?.role !== 'user') return { problem: 'messages: the last message must be of the role "user".' };
  if (isBlank(last.content)) return { problem: 'messages: the last message is empty.' };
  return { systemPrompt: system.join('\n\n'), history, prompt: last.content };
}

function withoutResult(open: ReadonlyMap<string, string>): string {
  return `messages: these tool calls have no result: ${[...open.keys()].join(', ')}.`;
}

/** Joins two user messages in a row: chat templates need alternating roles. */
function addUser(history: Message[], content: UserContent): void {
  const before = history.at(-1);
  if (before?.role === 'user')
    history[history.length - 1] = { role: 'user', content: joinContents(before.content, content) };
  else history.push({ role: 'user', content });
}

function readAssistant(
  { tool_calls: calls }: Extract<WireMessage, { role: 'assistant' }>,
  text: string,
): AssistantMessage | string {
  const content: AssistantMessage['content'][number][] = text === '' ? [] : [{ type: 'text', text }];
  const ids = new Set<string>();
  for (const { id, function: called } of calls ?? []) {
    if (ids.has(id)) return `the id "${id}" appears twice.`;
    ids.add(id);
    const input = parseObject(called.arguments);
    if (!input) return `the arguments of "${id}" are not a JSON object.`;
    content.push({ type: 'tool_use', id, name: called.name, input });
  }
  return { role: 'assistant', content, stopReason: ids.size > 0 ? 'tool_use' : 'stop' };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The caller names the call in its error.
    return undefined;
  }
}

/** The text of a content; `undefined` when it holds something else. */
function flatten(content: z.infer<typeof Content> | null | undefined): string | undefined {
  if (typeof content === 'string') return content;
  const texts: string[] = [];
  for (const part of content ?? []) {
    if (typeof part === 'string') texts.push(part);
    else if (part.text !== undefined && (part.type ?? 'text') === 'text') texts.push(part.text);
    else return undefined;
  }
  return texts.join('\n');
}

function refused(message: string, more: Parameters<typeof invalidRequest>[1] = {}): ParsedChatRequest {
  return { ok: false, error: invalidRequest(message, more) };
}
