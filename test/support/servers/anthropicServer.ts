import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, parseJson, type JsonObject } from '../../../src/util/json';

/** One answer of the model: a text, calls, or both. */
export interface AnthropicTurn {
  readonly text?: string | undefined;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[] | undefined;
}

/** Plays a model behind Anthropic's Messages API, as far as programs stream its answers. Records each request. */
export class AnthropicServer implements AsyncDisposable {
  /** The bodies of the requests for a message. */
  readonly requests: JsonObject[] = [];
  /** Requests for something else, and for messages without a turn left. */
  readonly unexpected: string[] = [];
  readonly #turns: AnthropicTurn[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<AnthropicServer> {
    const server = new AnthropicServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** The value for `ANTHROPIC_BASE_URL`. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  script(...turns: readonly AnthropicTurn[]): void {
    this.#turns.push(...turns);
  }

  get turnsLeft(): number {
    return this.#turns.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const body = parseJson(text);
    const path = new URL(request.url ?? '', this.origin).pathname;
    // Programs look whether the server is there.
    if (request.method === 'HEAD') return void response.writeHead(200).end();
    const turn = path === '/v1/messages' && isJsonObject(body) ? this.#turns.shift() : undefined;
    if (!turn) {
      this.unexpected.push(`${request.method} ${path}`);
      const error = { type: 'not_found_error', message: 'There is nothing here in this test.' };
      response.writeHead(404, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ type: 'error', error }));
    }
    this.requests.push(body as JsonObject);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsOf(turn, this.requests.length)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }
}

type Event = { readonly type: string } & JsonObject;

/** The stream of a message. Source: the documentation of Anthropic's API, "Streaming messages". */
function* eventsOf({ text, toolCalls = [] }: AnthropicTurn, count: number): Generator<Event> {
  const message = { id: `msg_${count}`, type: 'message', role: 'assistant', model: 'test-model', content: [] };
  const none = { stop_reason: null, stop_sequence: null };
  yield { type: 'message_start', message: { ...message, ...none, usage: { input_tokens: 3, output_tokens: 1 } } };
  const blocks = [
    ...(text === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: inWords(text).map((word) => ({ type: 'text_delta', text: word })),
          },
        ]),
    ...toolCalls.map(({ name, arguments: input }, index) => ({
      start: { type: 'tool_use', id: `toolu_${count}_${index}`, name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
    })),
  ];
  for (const [index, { start, deltas }] of blocks.entries()) {
    yield { type: 'content_block_start', index, content_block: start };
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  const reason = toolCalls.length > 0 ? 'tool_use' : 'end_turn';
  yield { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } };
  yield { type: 'message_stop' };
}

function inWords(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
