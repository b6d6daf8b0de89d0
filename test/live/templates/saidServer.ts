import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject } from '../../../src/util/json';
import type { LlamaServer } from '../engines/llamaServer';

/** What the model says, at one request. */
export interface Said {
  readonly text?: string;
  /** Each occurs once in a session. */
  readonly calls?: readonly SaidCall[];
}

export interface SaidCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** What the model says to a request. */
export type Saying = (body: JsonObject) => Said;

/** How one request was read by the real server. */
export interface Reading {
  /** Tokens of the prompt. */
  readonly prompt: number;
  /** Tokens that were not in the cache. */
  readonly read: number;
  /** Tokens that are not in the request and answer before. Absent at the first request, or if it does not continue it. */
  readonly added?: number;
  /** Whether the prompt begins with the last request and its answer. */
  readonly isAppended: boolean;
  readonly tools: 'native' | 'text';
}

/**
 * A server in front of a real llama-server whose model says what the test wants, in the words of its chat template. The
 * real server renders and reads each prompt and each answer, so its cache and its `timings` are real.
 */
export class SaidServer implements AsyncDisposable {
  readonly readings: Reading[] = [];
  /** The errors of the real server, as it words them. */
  readonly refusals: string[] = [];
  readonly #engine: LlamaServer;
  readonly #server: Server;
  readonly #say: Saying;
  /** The last prompt with its answer. */
  #whole: string | undefined;

  private constructor(engine: LlamaServer, say: Saying) {
    this.#engine = engine;
    this.#say = say;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(engine: LlamaServer, say: Saying): Promise<SaidServer> {
    const server = new SaidServer(engine, say);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (!request.url?.endsWith('/chat/completions')) {
      const forwarded = await fetch(`${this.#engine.origin}${request.url}`);
      response.writeHead(forwarded.status, { 'content-type': 'application/json' });
      response.end(await forwarded.text());
      return;
    }
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as JsonObject;
    const rendered = await this.#engine.post('/apply-template', body);
    const prompt = promptOf(rendered.body);
    if (prompt === undefined) {
      this.refusals.push(JSON.stringify(rendered.body));
      response.writeHead(rendered.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(rendered.body));
      return;
    }
    const { text = '', calls = [] } = this.#say(body);
    const hasTools = Array.isArray(body['tools']);
    // A prompt may begin the thoughts of the model.
    const thoughts = thoughtsBegin.test(prompt) ? 'I think of it.' : '';
    const spoken = { text, calls, thoughts, hasTools };
    const long = calls.map(idOf);
    const answer = await this.#literal(prompt, body, { ...spoken, ids: long });
    // Servers make such ids for templates that accept no others.
    const ids = answer === undefined ? long.map((id) => id.slice(0, 9)) : long;
    const literal = answer ?? (await this.#literal(prompt, body, { ...spoken, ids })) ?? text;
    send(response, { ...spoken, ids }, await this.#read(prompt, literal, hasTools));
  }

  /** Lets the real server read the prompt, then the answer as if the model had written it. */
  async #read(prompt: string, literal: string, hasTools: boolean): Promise<Counts> {
    const before = this.#whole;
    const counts = await this.#complete(prompt);
    const { cached, read } = counts;
    const isAppended = before === undefined || prompt.startsWith(before);
    const added = before !== undefined && isAppended ? cached + read - (await this.#count(before)) : undefined;
    const tools = hasTools ? 'native' : 'text';
    this.readings.push({ prompt: cached + read, read, isAppended, tools, ...(added !== undefined && { added }) });
    this.#whole = prompt + literal;
    await this.#complete(this.#whole);
    return counts;
  }

  /**
   * The answer in the words of the template: what the next prompt will hold of it, to its last path or word. `undefined` if
   * the template refuses it.
   */
  async #literal(prompt: string, body: JsonObject, spoken: Spoken): Promise<string | undefined> {
    const { calls, thoughts, hasTools, ids } = spoken;
    if (!hasTools) return contentInText(spoken);
    // The line break after a text belongs to the template, although servers send it as part of the text.
    const text = spoken.text.trimEnd();
    const assistant = {
      role: 'assistant',
      content: text,
      ...(thoughts !== '' && { reasoning_content: thoughts }),
      ...(calls.length > 0 && { tool_calls: callsOf(spoken) }),
    };
    const after =
      calls.length > 0
        ? ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'a' }))
        : [{ role: 'user', content: 'a' }];
    const messages = [...(body['messages'] as JsonObject[]), assistant, ...after];
    const next = promptOf((await this.#engine.post('/apply-template', { ...body, messages })).body);
    if (next === undefined) return undefined;
    const rest = next.startsWith(prompt) ? next.slice(prompt.length) : '';
    const last =
      Object.values(calls.at(-1)?.input ?? {})
        .map(String)
        .at(-1) ?? text;
    const end = rest.lastIndexOf(last);
    return end < 0 ? text : rest.slice(0, end + last.length);
  }

  async #complete(prompt: string): Promise<Counts> {
    const { body } = await this.#engine.post('/completion', { prompt, n_predict: 1, cache_prompt: true });
    const timings = isJsonObject(body) ? body['timings'] : undefined;
    if (!isJsonObject(timings)) throw new Error(`llama-server sent no timings: ${JSON.stringify(body)}`);
    return { cached: Number(timings['cache_n']), read: Number(timings['prompt_n']) };
  }

  async #count(text: string): Promise<number> {
    const { body } = await this.#engine.post('/tokenize', { content: text, add_special: true, parse_special: true });
    return (body as { readonly tokens: readonly unknown[] }).tokens.length;
  }
}

/** What the model says, with the ids of its calls. */
interface Spoken {
  readonly text: string;
  readonly calls: readonly SaidCall[];
  readonly thoughts: string;
  readonly hasTools: boolean;
  readonly ids: readonly string[];
}

/** Tokens of a prompt: those in the cache, and those that were read. */
interface Counts {
  readonly cached: number;
  readonly read: number;
}

function send(response: ServerResponse, spoken: Spoken, { cached, read }: Counts): void {
  const { text, calls, thoughts, hasTools } = spoken;
  const content = hasTools ? text : contentInText(spoken);
  const native = hasTools && calls.length > 0 && { tool_calls: callsOf(spoken) };
  const delta = { role: 'assistant', content, ...(thoughts !== '' && { reasoning_content: thoughts }), ...native };
  const chunk = (choice: object): string =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ delta, finish_reason: null }));
  response.write(chunk({ delta: {}, finish_reason: native === false ? 'stop' : 'tool_calls' }));
  response.write(`data: ${JSON.stringify({ choices: [], timings: { cache_n: cached, prompt_n: read } })}\n\n`);
  response.end('data: [DONE]\n\n');
}

const thoughtsBegin = /(?:<think>|<thinking>|<\|START_THINKING\|>|<mm:think>|reasoning steps:)\s*$/;

/** What a model writes whose tools are described in text. */
function contentInText({ text, calls }: Spoken): string {
  return [text, ...calls.map(callText)].filter((part) => part !== '').join('\n');
}

/** As llama-server makes them: 32 letters and digits. */
function idOf(call: SaidCall): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('hex').slice(0, 32);
}

function callsOf({ calls, ids }: Spoken): readonly JsonObject[] {
  return calls.map(({ name, input }, index) => ({
    index,
    id: ids[index] ?? '',
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
}

function callText({ name, input }: SaidCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(input)}}\n</tool_call>`;
}

function promptOf(body: unknown): string | undefined {
  return isJsonObject(body) && typeof body['prompt'] === 'string' ? body['prompt'] : undefined;
}
