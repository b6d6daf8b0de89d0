import { AgentError } from '../errors';
import { checkMessage } from '../images/imagePart';
import type { AssistantMessage, Message, ToolResultBlock, UserContent } from '../messages';

/** A tool call in history that has no result yet. */
export interface OpenCall {
  readonly id: string;
  readonly name: string | undefined;
}

/**
 * The history of a client. It only grows at its end, unless it is compacted or a hook changes a call in manual mode. Every tool call gets exactly one result,
 * in the order of the calls. A result that comes early is held until its turn.
 */
export class Conversation {
  readonly #messages: Message[];
  readonly #open: OpenCall[];
  readonly #early = new Map<OpenCall, ToolResultBlock>();

  /** A history of others may hold bytes, but equal bytes must be sent in every request. */
  constructor(history: readonly Message[]) {
    this.#messages = history.map(checkMessage);
    this.#open = openCallsOf(this.#messages);
  }

  /** A copy of the messages. */
  get messages(): readonly Message[] {
    return [...this.#messages];
  }

  get last(): Message | undefined {
    return this.#messages.at(-1);
  }

  /** Unanswered calls of the newest assistant message. */
  get openCalls(): readonly OpenCall[] {
    return this.#open.filter((call) => !this.#early.has(call));
  }

  addUser(content: UserContent): void {
    this.#messages.push({ role: 'user', content });
  }

  /** Adds an assistant message and opens its calls. */
  addAssistant(message: AssistantMessage): void {
    this.#messages.push(message);
    this.#open.push(...callsOf(message));
  }

  /** Replaces an assistant message by one with the same calls, by id. */
  changeMessage(message: AssistantMessage, changed: AssistantMessage): void {
    const index = this.#messages.lastIndexOf(message);
    if (index >= 0) this.#messages[index] = changed;
  }

  /** Replaces the history by another one, whose last calls may have no results yet. */
  load(history: readonly Message[]): void {
    this.replace(history);
    this.#early.clear();
    this.#open.splice(0, this.#open.length, ...openCallsOf(this.#messages));
  }

  /** Replaces the history by a shorter one. Only while no call is open. */
  replace(messages: readonly Message[]): void {
    this.#messages.splice(0, this.#messages.length, ...messages);
  }

  /** Answers the first open call with that id. Throws `invalid_state` when there is none. */
  addResult(result: ToolResultBlock): void {
    const call = this.#open.find((open) => open.id === result.toolUseId && !this.#early.has(open));
    if (!call) {
      throw new AgentError({
        code: 'invalid_state',
        message: `No tool call "${result.toolUseId}" is waiting for a result: the id is unknown or already answered.`,
      });
    }
    this.#early.set(call, result);
    for (let next = this.#open[0]; next && this.#early.has(next); next = this.#open[0]) {
      this.#messages.push({ role: 'tool', content: this.#early.get(next) as ToolResultBlock });
      this.#early.delete(next);
      this.#open.shift();
    }
  }
}

function callsOf(message: AssistantMessage): OpenCall[] {
  return message.content.flatMap((block): OpenCall[] => {
    if (block.type === 'tool_use') return [{ id: block.id, name: block.name }];
    if (block.type === 'tool_use_error' && block.toolUseId !== undefined) {
      return [{ id: block.toolUseId, name: block.toolName }];
    }
    return [];
  });
}

/** Calls without a result at the end of a stored history. */
function openCallsOf(messages: readonly Message[]): OpenCall[] {
  const index = messages.findLastIndex((message) => message.role === 'assistant');
  const newest = messages[index];
  const rest = messages.slice(index + 1);
  if (newest?.role !== 'assistant' || rest.some((message) => message.role === 'user')) return [];
  const open = callsOf(newest);
  for (const message of rest) {
    if (message.role !== 'tool') continue;
    const answered = open.findIndex(({ id }) => id === message.content.toolUseId);
    if (answered >= 0) open.splice(answered, 1);
  }
  return open;
}
