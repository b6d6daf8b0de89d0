import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  doneFrame,
  finishFrame,
  sseFrame,
  textFrame,
  thinkingFrame,
  toolCallFrames,
} from '../../../scripts/practiceModel/sse';
import type { WireMessage } from './modelServer';

/** The model's answer at one point of a conversation. */
export interface ModelMove {
  readonly thinking: string;
  readonly text?: string | undefined;
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } | undefined;
}

/** The cost of one request. */
export interface PromptReading {
  /** Tokens of the whole prompt. */
  readonly promptTokens: number;
  /** Tokens that were not in the cache. */
  readonly readTokens: number;
  /** Tokens in no earlier prompt or answer. No client could avoid reading them. */
  readonly newTokens: number;
  readonly maxTokens: number | undefined;
  readonly lastRole: string;
}

interface Body {
  readonly model: string;
  readonly messages: readonly (WireMessage & { readonly reasoning_content?: string })[];
  readonly tools?: readonly unknown[];
  readonly max_tokens?: number;
}

/**
 * A server with one slot and a token cache. The cache holds the newest prompt and its answer, and serves the longest common
 * prefix. The template is that of a reasoning model: it drops the thoughts of earlier turns.
 */
export class PrefixCacheServer implements AsyncDisposable {
  readonly readings: PromptReading[] = [];
  readonly #server: Server;
  readonly #move: (messages: readonly WireMessage[]) => ModelMove;
  readonly #waiting = new Set<() => void>();
  #cache: readonly string[] = [];

  private constructor(move: (messages: readonly WireMessage[]) => ModelMove) {
    this.#move = move;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(move: (messages: readonly WireMessage[]) => ModelMove): Promise<PrefixCacheServer> {
    const server = new PrefixCacheServer(move);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Resolves when this many requests have been answered. */
  async answered(count: number): Promise<void> {
    while (this.readings.length < count) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Body;
    const prompt = tokensOf(render(body));
    const cached = commonLength(this.#cache, prompt);
    const { max_tokens: maxTokens, messages } = body;
    this.readings.push({
      promptTokens: prompt.length,
      readTokens: prompt.length - cached,
      newTokens: prompt.length - this.#cache.length,
      maxTokens,
      lastRole: messages.at(-1)?.role ?? '',
    });
    const move: ModelMove = maxTokens === 0 ? { thinking: '' } : this.#move(messages);
    const answer = maxTokens === 0 ? [] : tokensOf(renderAnswer(move));
    this.#cache = [...prompt, ...answer];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(this.#frames(body, move, { prompt: prompt.length, cached, answer: answer.length }).join(''));
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #frames(
    { model, max_tokens: maxTokens }: Body,
    { thinking, text = '', call }: ModelMove,
    counts: { readonly prompt: number; readonly cached: number; readonly answer: number },
  ): readonly string[] {
    const head = { id: `chatcmpl-${this.readings.length}`, model, created: 1_700_000_000 };
    const toolCall = call && { ...call, id: `call${String(this.readings.length).padStart(5, '0')}` };
    const usage = {
      prompt_tokens: counts.prompt,
      completion_tokens: counts.answer,
      total_tokens: counts.prompt + counts.answer,
      prompt_tokens_details: { cached_tokens: counts.cached },
    };
    return [
      ...(thinking === '' ? [] : [thinkingFrame(head, thinking)]),
      ...(text === '' ? [] : [textFrame(head, text)]),
      ...(toolCall ? toolCallFrames(head, 0, toolCall) : []),
      finishFrame(head, maxTokens === 0 ? 'length' : toolCall ? 'tool_calls' : 'stop'),
      sseFrame({ id: head.id, object: 'chat.completion.chunk', model, choices: [], usage }),
      doneFrame,
    ];
  }
}

/** The prompt as the template writes it. */
function render({ messages, tools = [] }: Body): string {
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  const written = messages.map((message, index): string => {
    const content = message.content ?? '';
    if (message.role === 'tool') return turn('user', `<tool_response>\n${content}\n</tool_response>`);
    if (message.role !== 'assistant') return turn(message.role, content);
    const thinking = index > lastQuestion ? (message.reasoning_content ?? '') : '';
    const calls = (message.tool_calls ?? []).map(({ function: call }) => ({
      name: call.name,
      arguments: JSON.parse(call.arguments) as Record<string, unknown>,
    }));
    return `<|im_start|>assistant\n${renderAnswer({ thinking, text: content, call: calls[0] })}\n`;
  });
  const offered = tools.map((tool) => `${JSON.stringify(tool)}\n`).join('');
  return `<tools>\n${offered}</tools>\n${written.join('')}<|im_start|>assistant\n`;
}

/** The model's answer as the template writes it in the next prompt. */
function renderAnswer({ thinking, text = '', call }: ModelMove): string {
  const thought = thinking === '' ? '' : `<think>\n${thinking}\n</think>\n\n`;
  const called = call ? `<tool_call>\n${JSON.stringify(call, null, 1)}\n</tool_call>` : '';
  return `${thought}${text}${called}<|im_end|>`;
}

function turn(role: string, content: string): string {
  return `<|im_start|>${role}\n${content}<|im_end|>\n`;
}

function tokensOf(text: string): readonly string[] {
  return text.match(/<\|\w+\|>|\s+|\w{1,6}|[^\s\w]/g) ?? [];
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((token, index) => token !== other[index]);
  return at === -1 ? Math.min(one.length, other.length) : at;
}
