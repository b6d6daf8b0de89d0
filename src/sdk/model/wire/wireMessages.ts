import type { AssistantMessage, Message, ToolMessage, ToolResultContent } from '../../messages';
import type { ReplayReasoning } from '../modelProvider';
import { neutraliseControlTokens, neutraliseOwnText } from './controlTokens';
import { resultContent, wireContent } from './wireImages';
import { writtenCall } from './writtenCall';
import type { WireContent, WireMessage, WireToolCall } from './wireTypes';

/** Fill in for a missing answer or prompt where a template needs alternating roles. */
const NO_ANSWER = '(No answer was given.)';
const GO_ON = 'Continue.';
const NO_RESULT = 'No result: this call was not executed.';

/**
 * Makes a history that every server accepts. It has one system message, at the start. User and assistant alternate,
 * apart from tool results, and no message is empty. Each call has its result right after it, in the order of the
 * calls. Each id is used once. The last message is a user's or a tool's. Missing messages are filled in at their place
 * with short texts, so the beginning stays the same when the history grows.
 * `replay` says which thinking goes back. By default it is that of the current turn beside tool calls, as templates of
 * reasoning models keep it.
 */
export function toWireMessages(
  systemPrompt: string,
  messages: readonly Message[],
  replay: ReplayReasoning = 'auto',
): WireMessage[] {
  const wire: WireMessage[] = [];
  const turnStart = messages.findLastIndex((message) => message.role === 'user');
  const usedIds = new Set<string>();
  /** The last role, for the alternation. */
  let last: 'none' | 'user' | 'assistant' | 'tool' = 'none';
  if (systemPrompt !== '') wire.push({ role: 'system', content: safeText(systemPrompt) });

  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        if (last === 'user' || last === 'tool') wire.push({ role: 'assistant', content: NO_ANSWER });
        wire.push({ role: 'user', content: message.content === '' ? GO_ON : wireContent(message.content, safeText) });
        last = 'user';
        break;
      case 'assistant': {
        if (last === 'none' || last === 'assistant') wire.push({ role: 'user', content: GO_ON });
        const stored = callsOf(message);
        const calls = withUniqueIds(stored, usedIds, index);
        const hasThoughts = replay === 'always' || (replay === 'auto' && index > turnStart && calls.length > 0);
        wire.push(assistantMessage(message, calls, hasThoughts));
        for (const [position, result] of pairResults(stored, resultsAfter(messages, index)).entries()) {
          wire.push({
            role: 'tool',
            tool_call_id: calls[position]?.id ?? '',
            content: result ? contentOf(result) : NO_RESULT,
          });
        }
        last = calls.length > 0 ? 'tool' : 'assistant';
        break;
      }
      case 'tool':
        // Sent with its call. A result without a call is left out.
        break;
    }
  }
  if (last === 'assistant' || last === 'none') wire.push({ role: 'user', content: GO_ON });
  return wire;
}

function assistantMessage(
  message: AssistantMessage,
  calls: readonly WireToolCall[],
  hasThoughts: boolean,
): WireMessage {
  const text = joinBlocks(message, 'text');
  const thinking = hasThoughts ? joinBlocks(message, 'thinking') : '';
  // Templates add a line break before calls, so one at the end of the text would not be in the server's cache.
  const beside = calls.length > 0 ? text.trimEnd() : text;
  return {
    role: 'assistant',
    content: calls.length === 0 && text.trim() === '' ? NO_ANSWER : beside,
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function joinBlocks(message: AssistantMessage, type: 'text' | 'thinking'): string {
  const texts = message.content.flatMap((block) => (block.type === type ? [block.text] : []));
  return neutraliseOwnText(texts.join('\n\n').toWellFormed());
}

/** The calls of a message. One with unreadable arguments has none, because servers reject invalid JSON. */
function callsOf(message: AssistantMessage): WireToolCall[] {
  const calls: WireToolCall[] = [];
  for (const block of message.content) {
    if (block.type === 'tool_use') {
      const call = wireCall(block.id, block.name, neutraliseControlTokens(jsonOf(block.input)));
      const written = writtenCall(block);
      calls.push(written === undefined ? call : { ...call, written });
    }
    if (block.type === 'tool_use_error' && block.toolUseId !== undefined && block.toolName !== undefined) {
      calls.push(wireCall(block.toolUseId, block.toolName, '{}'));
    }
  }
  return calls;
}

function wireCall(id: string, name: string, json: string): WireToolCall {
  return { id, type: 'function', function: { name: neutraliseOwnText(name), arguments: json } };
}

/** The results between an assistant message and the next one. */
function resultsAfter(messages: readonly Message[], index: number): ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let next = index + 1; next < messages.length; next++) {
    const message = messages[next] as Message;
    if (message.role === 'assistant') break;
    if (message.role === 'tool') results.push(message);
  }
  return results;
}

/** The result of each call: the first with its id. Calls with the same id get theirs in order. */
function pairResults(
  calls: readonly WireToolCall[],
  results: readonly ToolMessage[],
): readonly (ToolMessage | undefined)[] {
  const left = [...results];
  return calls.map((call) => {
    const at = left.findIndex((result) => result.content.toolUseId === call.id);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  });
}

/** Keeps unique ids. Replaces a missing or repeated id, as in old sessions, by one made of the call's place. */
function withUniqueIds(calls: readonly WireToolCall[], used: Set<string>, index: number): readonly WireToolCall[] {
  return calls.map((call, position) => {
    const isFree = call.id !== '' && !used.has(call.id);
    const place = [index, position].map((number) => number.toString(36).padStart(4, '0'));
    const id = isFree ? call.id : `r${place.join('')}`;
    used.add(id);
    return isFree ? call : { ...call, id };
  });
}

function contentOf({ content: { content, images } }: ToolMessage): WireContent {
  return resultContent(textOf(content), images);
}

function textOf(content: ToolResultContent): string {
  return typeof content === 'string' ? safeText(content) : neutraliseControlTokens(jsonOf(content));
}

/** Text of others: a person, a file, a tool. */
function safeText(text: string): string {
  return neutraliseControlTokens(text.toWellFormed());
}

/** Cutting a text can leave half a surrogate pair, which strict JSON parsers reject. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? item.toWellFormed() : item));
}
