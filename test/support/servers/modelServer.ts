import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from './gate';
import type { Gate } from './gate';
import { statusResponse, wireResponse } from './turns';
import type { StatusTurn, Turn, TurnContext, WireResponse } from './turns';

export { createGate } from './gate';
export type { Turn } from './turns';

export interface ModelServerOptions {
  /** Ids of `GET /v1/models`; `['test-model']` by default. */
  readonly models?: readonly string[] | undefined;
  /** The loaded context window that `/v1/models` and `/props` name; 32768 by default. */
  readonly contextWindow?: number | undefined;
  /** Required as `Authorization: Bearer <key>`; other requests get 401. */
  readonly apiKey?: string | undefined;
  /** True: web pages may send requests, as with llama-server. Their questions about that are not recorded. */
  readonly allowsWebPages?: boolean | undefined;
  /** Any free port by default. */
  readonly port?: number | undefined;
}

export interface RecordedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown;
  /** The body as it was sent. */
  readonly text: string;
  /** Resolves when the response was sent, or when the client or the script broke the connection. */
  readonly closed: Promise<'sent' | 'broken'>;
}

/** The most tested part of a recorded completion request. */
export interface CompletionRequest extends RecordedRequest {
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly stream_options?: { readonly include_usage?: boolean };
    readonly messages: readonly WireMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
    readonly [field: string]: unknown;
  };
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

/**
 * A real HTTP server on loopback that plays the model. It answers completions with the turns of a test, in
 * order, and records every request. A completion without a turn left is answered with 500 and kept in `unexpected`.
 */
export class ModelServer implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly completions: CompletionRequest[] = [];
  readonly unexpected: CompletionRequest[] = [];
  /** Requests that only read the prompt (`max_tokens: 0`). They are not completions and take no turn. */
  readonly warmings: CompletionRequest[] = [];
  /** The gate at which warmings wait. */
  warmingGate: Gate | undefined;
  readonly #server: Server;
  readonly #turns: ((request: CompletionRequest) => Turn)[] = [];
  readonly #routes = new Map<string, Omit<StatusTurn, 'kind'>>();
  readonly #options: ModelServerOptions;
  readonly #waiting = new Set<() => void>();

  private constructor(options: ModelServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      if (options.allowsWebPages) {
        response.setHeader('access-control-allow-origin', '*');
        response.setHeader('access-control-allow-headers', 'authorization, content-type');
        if (request.method === 'OPTIONS') return void response.writeHead(204).end();
      }
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(options: ModelServerOptions = {}): Promise<ModelServer> {
    const server = new ModelServer(options);
    await new Promise<void>((resolve) => server.#server.listen(options.port ?? 0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The value for the setting `openAgent.baseUrl`. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  /** Adds turns to the script. A function makes its turn from the request. */
  script(...turns: readonly (Turn | ((request: CompletionRequest) => Turn))[]): void {
    this.#turns.push(...turns.map((turn) => (typeof turn === 'function' ? turn : () => turn)));
  }

  /** Removes the unused turns. */
  dropTurns(): void {
    this.#turns.length = 0;
  }

  /** The number of unused turns. */
  get turnsLeft(): number {
    return this.#turns.length;
  }

  /** Answers every request for a path with this, including `/v1/chat/completions`. Undefined removes it. */
  setRoute(path: string, response: Omit<StatusTurn, 'kind'> | undefined): void {
    if (response === undefined) this.#routes.delete(path);
    else this.#routes.set(path, response);
  }

  /** The nth completion request, counted from 1; waits for it to arrive. */
  completion(number: number): Promise<CompletionRequest> {
    return this.#nth(this.completions, number);
  }

  /** The nth of the `warmings`, as `completion`. */
  warming(number: number): Promise<CompletionRequest> {
    return this.#nth(this.warmings, number);
  }

  async #nth(requests: readonly CompletionRequest[], number: number): Promise<CompletionRequest> {
    for (;;) {
      const request = requests[number - 1];
      if (request !== undefined) return request;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Stops listening and breaks every connection. Safe to repeat. */
  async dispose(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request, response);
    this.requests.push(recorded);
    const path = recorded.path.split('?')[0] ?? '';
    const isPost = recorded.method === 'POST' && path === '/v1/chat/completions';
    const isWarming = isPost && (recorded as CompletionRequest).body['max_tokens'] === 0;
    const isCompletion = isPost && !isWarming;
    if (isWarming) this.warmings.push(recorded as CompletionRequest);
    if (isCompletion) this.completions.push(recorded as CompletionRequest);
    const wire = isWarming
      ? wireResponse(
          { text: '', finishReason: 'length', heldUntil: this.warmingGate },
          contextOf(recorded as CompletionRequest, 0),
        )
      : this.#respond(recorded, path, isCompletion);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    await send(wire, response);
  }

  #respond(request: RecordedRequest, path: string, isCompletion: boolean): WireResponse {
    const { apiKey } = this.#options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return errorResponse(401, 'Invalid API Key');
    }
    const route = this.#routes.get(path);
    if (route !== undefined) return statusResponse(route);
    if (isCompletion) return this.#nextTurn(request as CompletionRequest);
    if (request.method !== 'GET') return errorResponse(404, 'File Not Found');
    if (path === '/v1/models') return statusResponse({ status: 200, body: this.#modelList() });
    if (path === '/props') return statusResponse({ status: 200, body: this.#props() });
    if (path === '/health') return statusResponse({ status: 200, body: { status: 'ok' } });
    return errorResponse(404, 'File Not Found');
  }

  #nextTurn(request: CompletionRequest): WireResponse {
    const turn = this.#turns.shift();
    if (turn === undefined) {
      this.unexpected.push(request);
      return errorResponse(500, 'The script of this test has no turn left.');
    }
    return wireResponse(turn(request), contextOf(request, this.completions.length));
  }

  #modelList(): object {
    const models = this.#options.models ?? ['test-model'];
    const meta = { n_ctx: this.#contextWindow, n_ctx_train: this.#contextWindow };
    return {
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'llamacpp', meta })),
    };
  }

  #props(): object {
    return { default_generation_settings: { n_ctx: this.#contextWindow }, total_slots: 1 };
  }

  get #contextWindow(): number {
    return this.#options.contextWindow ?? 32_768;
  }
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const closed = new Promise<'sent' | 'broken'>((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'sent' : 'broken'));
  });
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
    text,
    closed,
  };
}

function contextOf({ body, text }: CompletionRequest, requestNumber: number): TurnContext {
  return {
    head: { id: `chatcmpl-${requestNumber}`, model: body.model, created: 1_700_000_000 + requestNumber },
    stream: body.stream === true,
    includeUsage: body.stream_options?.include_usage === true,
    requestNumber,
    // A long prompt with few tokens would look like a truncated prompt.
    promptTokens: Math.max(100, Math.ceil(text.length / 4)),
  };
}

function errorResponse(status: number, message: string): WireResponse {
  return statusResponse({ status, body: { error: { code: status, message, type: 'invalid_request_error' } } });
}

async function send(wire: WireResponse, response: ServerResponse): Promise<void> {
  const gone = deferred();
  response.once('close', gone.resolve);
  if (wire.before !== undefined) await Promise.race([wire.before.pass(), gone.promise]);
  if (response.destroyed) return;
  response.socket?.setNoDelay(true);
  response.writeHead(wire.status, wire.headers);
  response.flushHeaders();
  for (const part of wire.writes) {
    if (isGate(part)) await Promise.race([part.pass(), gone.promise]);
    else await write(response, part);
    if (response.destroyed) return;
  }
  if (wire.cut) response.destroy();
  else response.end();
}

function isGate(part: string | Uint8Array | Gate): part is Gate {
  return typeof part !== 'string' && !(part instanceof Uint8Array);
}

/** Resolves when the bytes are on the socket, so writes arrive separately and a cut loses no earlier write. */
function write(response: ServerResponse, part: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(part, () => setImmediate(resolve));
  });
}
