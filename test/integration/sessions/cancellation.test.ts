import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SlotQueue, withSlot } from '../../../src/agent/servers/model/slotQueue';
import { Client } from '../../../src/sdk/client';
import type { AgentEvent } from '../../../src/sdk/events';
import { createOpenAIProvider } from '../../../src/sdk/model/openaiProvider';
import type { AgentOptions } from '../../../src/sdk/configuration/agentOptions';
import { tool } from '../../../src/sdk/tool';
import { record } from '../../support/sessions/clients';
import { createGate } from '../../support/servers/gate';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** A server with one slot. It logs when connections open and close, and fails on two at once. */
class OneSlotServer implements AsyncDisposable {
  readonly log: string[] = [];
  readonly #arrival = createGate();
  readonly #server: Server;
  readonly #answers: Respond[] = [];
  readonly #open = new Map<Socket, number>();
  #count = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      request.resume().on('end', () => {
        void this.#arrival.pass();
        (this.#answers.shift() ?? answer('Hello.'))(response, request);
      });
    });
    this.#server.on('connection', (socket: Socket) => {
      const number = ++this.#count;
      this.log.push(this.#open.size === 0 ? `${number} opens` : `${number} opens beside another`);
      this.#open.set(socket, number);
      // The first of an announced end and a broken connection counts.
      const closed = (): void => {
        if (this.#open.delete(socket)) this.log.push(`${number} closed`);
      };
      socket.on('end', closed).on('close', closed);
    });
  }

  script(...answers: readonly Respond[]): void {
    this.#answers.push(...answers);
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the first request has arrived. */
  get reached(): Promise<void> {
    return this.#arrival.reached;
  }

  /** Resolves when no connection is open. */
  async idle(): Promise<void> {
    for (const socket of this.#open.keys()) await once(socket, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function frame(delta: object, finishReason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
}

function answer(text: string): Respond {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${frame({ content: text })}${frame({}, 'stop')}data: [DONE]\n\n`);
  };
}

function begin(...frames: readonly string[]): Respond {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const text of frames) response.write(text);
  };
}

const call = { tool_calls: [{ index: 0, id: 'c1', function: { name: 'wait', arguments: '{"a' } }] };

/** Moments at which a run is stopped, each with the server's behaviour until then. */
const stages: readonly (readonly [string, Respond, (event: AgentEvent) => boolean])[] = [
  ['before the first byte', () => undefined, (event) => event.type === 'status' && event.status === 'prefilling'],
  [
    'between headers and answer',
    begin('data: {"prompt_progress":{"total":9,"processed":1,"cache":0}}\n\n'),
    (event) => event.type === 'prompt_progress',
  ],
  ['within text', begin(frame({ content: 'Half of ' })), (event) => event.type === 'text_delta'],
  ['within a thought', begin(frame({ reasoning_content: 'Hm' })), (event) => event.type === 'thinking_delta'],
  ['within a tool call', begin(frame(call)), (event) => event.type === 'tool_use_start'],
  [
    'while it waits to retry',
    (response) => response.writeHead(429, { 'retry-after': '25' }).end('busy'),
    (event) => event.type === 'retry',
  ],
  [
    'while the model loads',
    (response) => response.writeHead(503).end('{"error":{"message":"Loading model","code":503}}'),
    (event) => event.type === 'status' && event.status === 'loading_model',
  ],
];

describe('a server with one slot gets one request at a time', () => {
  let server: OneSlotServer;
  let options: AgentOptions;
  const clients: Client[] = [];

  beforeEach(async () => {
    server = new OneSlotServer();
    options = { systemPrompt: 's', model: 'm', baseUrl: await server.start(), autoExecuteTools: true };
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await server[Symbol.asyncDispose]();
  });

  function newClient(more: Partial<AgentOptions> = {}): Client {
    const client = new Client({ ...options, ...more });
    clients.push(client);
    return client;
  }

  for (const [where, respond, isTime] of stages) {
    it(`when a run is stopped ${where}, and another follows at once`, async () => {
      server.script(respond);
      const client = newClient();
      const stopped: Promise<void>[] = [];
      const { result } = await record(client.run('One'), async (event) => {
        if (stopped.length > 0 || !isTime(event)) return;
        await server.reached;
        stopped.push(client.interrupt());
      });
      await Promise.all(stopped);
      assert.equal(result.outcome, 'interrupted');
      assert.equal((await record(client.run('Two'))).result.primaryText, 'Hello.');
      await server.idle();
      assert.deepEqual(server.log, ['1 opens', '1 closed', '2 opens', '2 closed']);
    });
  }

  it('when the reader of a run leaves it', async () => {
    server.script(begin(frame({ content: 'Half' })));
    const client = newClient();
    for await (const event of client.run('One')) if (event.type === 'text_delta') break;
    await record(client.run('Two'));
    await server.idle();
    assert.deepEqual(server.log, ['1 opens', '1 closed', '2 opens', '2 closed']);
  });

  it('when an answer loops and is cut off', async () => {
    server.script(begin(frame({ content: 'again and '.repeat(400) })));
    const client = newClient();
    assert.equal((await record(client.run('One'))).result.error?.code, 'loop_detected');
    await record(client.run('Two'));
    await server.idle();
    assert.deepEqual(server.log, ['1 opens', '1 closed', '2 opens', '2 closed']);
  });

  it('when requests are rejected, retried, and continued after a tool', async () => {
    const ask = { tool_calls: [{ index: 0, id: 'c1', function: { name: 'wait', arguments: '{}' } }] };
    server.script(
      (response) => response.writeHead(400).end('{"error":"unknown field stream_options"}'),
      (response) => response.writeHead(503, { 'retry-after': '0' }).end('busy'),
      begin(frame(ask), frame({}, 'tool_calls'), 'data: [DONE]\n\n'),
    );
    const client = newClient({ tools: [tool('wait', 'Wait', {}, () => 'done')] });
    assert.equal((await record(client.run('One'))).result.primaryText, 'Hello.');
    await server.idle();
    const numbers = [1, 2, 3, 4];
    assert.deepEqual(
      server.log,
      numbers.flatMap((number) => [`${number} opens`, `${number} closed`]),
    );
  });

  it('when two sessions share it, and the waiting one is stopped', async () => {
    const gate = createGate();
    server.script((response, request) => {
      gate.pass().then(() => answer('First.')(response, request), assert.fail);
    });
    const slots = new SlotQueue();
    const provider = withSlot(createOpenAIProvider(options), slots, options.baseUrl);
    const [first, second] = [newClient({ provider }), newClient({ provider })];
    const running = record(first.run('One'));
    await gate.reached;
    const { result } = await record(second.run('Two'), (event) => {
      if (event.type === 'status' && event.status === 'queued') void second.interrupt();
    });
    assert.equal(result.outcome, 'interrupted');
    const third = record(second.run('Three'));
    gate.open();
    assert.equal((await running).result.primaryText, 'First.');
    assert.equal((await third).result.primaryText, 'Hello.');
    await server.idle();
    assert.deepEqual(server.log, ['1 opens', '1 closed', '2 opens', '2 closed']);
  });
});
