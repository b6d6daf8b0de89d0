import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelEvent, ModelRequest } from '../../../src/sdk/model/modelProvider';
import { createOpenAIProvider, type OpenAIProviderOptions } from '../../../src/sdk/model/openaiProvider';
import { tools } from '../../unit/sdk/model/streamFixtures';

/** Answers a request. */
export type Respond = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** The request of all tests here. */
export const request: ModelRequest = {
  model: 'qwen',
  systemPrompt: 'You help.',
  messages: [{ role: 'user', content: 'Hello' }],
  tools,
  sampling: { temperature: null, maxTokens: null },
};

/** An event of a stream. */
export const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'r', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
export const hello = chunk({ content: 'Hello' });
export const answer = `${hello}${chunk({}, 'stop')}data: [DONE]\n\n`;
/** The blocks of `hello`. */
export const partial = [{ type: 'text', text: 'Hello' }];

type Failure = Extract<ModelEvent, { readonly type: 'error' }>;

interface Received {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface TestServer {
  readonly baseUrl: string;
  readonly requests: readonly Received[];
  readonly server: Server;
}

export interface ProviderServers {
  /** Starts a server that gives these answers in turn, and repeats the last one. */
  serve(...answers: Respond[]): Promise<TestServer>;
  /** The events of one request. */
  run(baseUrl: string, options?: Partial<OpenAIProviderOptions>): Promise<ModelEvent[]>;
  /** The error, and the blocks that were kept. */
  failure(respond: Respond, options?: Partial<OpenAIProviderOptions>): Promise<Failure & { readonly url: string }>;
  /** Closes another server after the test, too. */
  keep(server: { close(): void }): void;
}

/** Servers for the provider. Closes them after each test of the surrounding `describe`. */
export function useProviderServers(): ProviderServers {
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function serve(...answers: Respond[]): Promise<TestServer> {
    const requests: Received[] = [];
    const server = createServer((incoming, response) => {
      const respond = answers[Math.min(requests.length, answers.length - 1)];
      void readBody(incoming).then((body) => {
        requests.push({ url: incoming.url ?? '', headers: incoming.headers, body });
        respond?.(response, incoming, body);
      });
    });
    await listen(server);
    servers.push({ close: () => (server.closeAllConnections(), server.close()) });
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
  }

  async function run(baseUrl: string, options: Partial<OpenAIProviderOptions> = {}): Promise<ModelEvent[]> {
    const provider = createOpenAIProvider({ baseUrl, silenceTimeoutMs: null, loadingRetryMs: 1, ...options });
    return collect(provider.stream(request, { signal: new AbortController().signal }));
  }

  async function failure(
    respond: Respond,
    options?: Partial<OpenAIProviderOptions>,
  ): Promise<Failure & { url: string }> {
    const { baseUrl } = await serve(respond);
    const last = (await run(baseUrl, options)).at(-1);
    assert.equal(last?.type, 'error');
    return { ...last, url: `${baseUrl}/v1/chat/completions` };
  }

  return { serve, run, failure, keep: (server) => void servers.push(server) };
}

/** Answers with a stream of events. */
export function stream(body: string | Buffer): Respond {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(body);
  };
}

/** Listens on a free port of loopback. */
export async function listen(server: { listen(port: number, host: string, done: () => void): unknown }): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** All events. */
export async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}
