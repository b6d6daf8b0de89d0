import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/util/json';
import type { LlamaServer } from '../engines/llamaServer';

/** How many tokens each answer has. */
export const markCount = 12;

/**
 * A real llama-server whose answers carry the mark of the prompt, such as `client-07`. The real server reads each prompt and
 * makes each token at its own speed; only the text of a token is replaced.
 */
export class MarkedServer implements AsyncDisposable {
  /** The marks of the chat completions that arrived. */
  readonly marks: string[] = [];
  readonly #engine: LlamaServer;
  readonly #server: Server;

  private constructor(engine: LlamaServer) {
    this.#engine = engine;
    this.#server = createServer((asked, answer) => {
      this.#pass(asked, answer).catch(() => answer.destroy());
    });
  }

  static async start(engine: LlamaServer): Promise<MarkedServer> {
    const server = new MarkedServer(engine);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends it with its engine, as a crash would: open answers break off, and nobody listens any more. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.#engine.kill();
    this.#server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.kill();
  }

  get requests(): number {
    return this.marks.length;
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const isChat = asked.url?.endsWith('/chat/completions') === true;
    const body: JsonObject = isChat ? (JSON.parse(text) as JsonObject) : {};
    const mark = isChat ? createMarker(markIn(body)) : (line: string): string => line;
    if (isChat) this.marks.push(markIn(body));
    const sent = isChat ? JSON.stringify({ ...body, max_tokens: markCount, ignore_eos: true }) : text;
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
    const { port } = this.#engine;
    const upstream = request({ host: '127.0.0.1', port, path: asked.url, method: asked.method, headers }, (real) => {
      answer.writeHead(real.statusCode ?? 502, { 'content-type': real.headers['content-type'] ?? '' });
      let rest = '';
      real.setEncoding('utf8');
      real.on('data', (piece: string) => {
        const lines = (rest + piece).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) answer.write(`${mark(line)}\n`);
      });
      real.on('end', () => answer.end(rest));
      real.on('error', () => answer.destroy());
    });
    upstream.on('error', () => answer.destroy());
    answer.on('close', () => upstream.destroy());
    upstream.end(sent);
  }
}

/** The mark in the newest message. */
function markIn(body: JsonObject): string {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  return JSON.stringify(messages.at(-1) ?? '').match(/client-\d+/)?.[0] ?? 'unmarked';
}

/**
 * Puts the mark in place of each text in the lines of a stream. Some tokens are no whole character, so they come without a
 * text: their marks come at the end.
 */
function createMarker(mark: string): (line: string) => string {
  let sent = 0;
  return (line) => {
    if (!line.startsWith('data: {')) return line;
    const chunk = JSON.parse(line.slice('data: '.length)) as { choices?: Choice[] };
    for (const choice of chunk.choices ?? []) {
      const { content, reasoning_content: thought, tool_calls: calls } = choice.delta ?? {};
      const isEnd = typeof choice.finish_reason === 'string';
      const hasText = [content, thought].some((word) => typeof word === 'string' && word !== '') || calls !== undefined;
      const count = isEnd ? markCount - sent : Math.min(hasText ? 1 : 0, markCount - sent);
      sent += count;
      if (hasText || isEnd) choice.delta = { content: `${mark} `.repeat(count) };
      // The test's own limit is the end of the answer.
      if (choice.finish_reason === 'length') choice.finish_reason = 'stop';
    }
    return `data: ${JSON.stringify(chunk)}`;
  };
}

interface Choice {
  delta?: JsonObject;
  finish_reason?: string | null;
}
