import type { AssistantMessage, Message, ToolMessage, ToolResultContent } from '../../messages';
import type { ReplayReasoning } from '../modelProvider';
import { neutraliseControlTokens, neutraliseOwnText } from './controlTokens';
import type { WireMessage, WireToolCall } from './wireTypes';

/** What stands in for an answer or a question that is missing where a template wants the two to alternate. */
const NO_ANSWER = '(No answer was given.)';
const GO_ON = 'Continue.';
const NO_RESULT = 'No result: this call was not executed.';

/**
 * A history as every server accepts it, whatever state it is in: one system message, first; user and assistant
 * alternating apart from tool results, none empty; every call answered right after it, in the order of the calls, and no
 * answer without its call; every id given once; the last message is a user's or a tool's. What is missing is filled in with short texts, in place,
 * so that the beginning stays the same when the history grows.
 *
 * Thinking goes back as `replay` says; by default with the tool calls of the current turn, as templates of reasoning
 * models keep it there, and not with earlier turns.
 */
export function toWireMessages(
  systemPrompt: string,
  messages: readonly Message[],
  replay: ReplayReasoning = 'auto',
): WireMessage[] {
  const wire: WireMessage[] = [];
  const turnStart = messages.findLastIndex((message) => message.role === 'user');
  const usedIds = new Set<string>();
  /** Who spoke last, for the alternation; tool results do not count but for what may follow them. */
  let last: 'none' | 'user' | 'assistant' | 'tool' = 'none';
  if (systemPrompt !== '') wire.push({ role: 'system', content: safeText(systemPrompt) });

  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        if (last === 'user' || last === 'tool') wire.push({ role: 'assistant', content: NO_ANSWER });
        wire.push({ role: 'user', content: message.content === '' ? GO_ON : safeText(message.content) });
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
            content: result ? textOf(result.content.content) : NO_RESULT,
          });
        }
        last = calls.length > 0 ? 'tool' : 'assistant';
        break;
      }
      case 'tool':
        // Sent with its call; one without a call is left out.
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
  return {
    role: 'assistant',
    content: calls.length === 0 && text.trim() === '' ? NO_ANSWER : text,
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function joinBlocks(message: AssistantMessage, type: 'text' | 'thinking'): string {
  const texts = message.content.flatMap((block) => (block.type === type ? [block.text] : []));
  return neutraliseOwnText(texts.join('\n\n').toWellFormed());
}

/** Its calls. One whose arguments could not be read goes back without any: servers refuse a history with invalid JSON. */
function callsOf(message: AssistantMessage): WireToolCall[] {
  const calls: WireToolCall[] = [];
  for (const block of message.content) {
    if (block.type === 'tool_use')
      calls.push(wireCall(block.id, block.name, neutraliseControlTokens(jsonOf(block.input))));
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

/** The result of each call, the first that names it; calls that share an id take theirs in order. */
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

/** Ids as they were given; one that an old session has twice, or none at all, is made of the call's place instead. */
function withUniqueIds(calls: readonly WireToolCall[], used: Set<string>, index: number): readonly WireToolCall[] {
  return calls.map((call, position) => {
    const isFree = call.id !== '' && !used.has(call.id);
    const place = [index, position].map((number) => number.toString(36).padStart(4, '0'));
    const id = isFree ? call.id : `r${place.join('')}`;
    used.add(id);
    return isFree ? call : { ...call, id };
  });
}

function textOf(content: ToolResultContent): string {
  return typeof content === 'string' ? safeText(content) : neutraliseControlTokens(jsonOf(content));
}

/** What somebody else wrote: a person, a file, a tool. */
function safeText(text: string): string {
  return neutraliseControlTokens(text.toWellFormed());
}

/** Half a surrogate pair, which cutting a text leaves behind, is JSON that strict parsers refuse. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? item.toWellFormed() : item));
}
