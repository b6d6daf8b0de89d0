import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ModelEvent, ModelRequest } from '../../../src/sdk/model/modelProvider';
import type { ModelLogger } from '../../../src/sdk/model/modelLogger';
import { createOpenAIProvider, type OpenAIProviderOptions } from '../../../src/sdk/model/openaiProvider';
import { proving, safetySample } from '../../support/safetySample';
import { merged, recording, tools } from '../../unit/sdk/model/streamFixtures';

type Respond = (response: ServerResponse, request: IncomingMessage, body: string) => void;

const request: ModelRequest = {
  model: 'qwen',
  systemPrompt: 'You help.',
  messages: [{ role: 'user', content: 'Hello' }],
  tools,
  sampling: { temperature: null, maxTokens: null },
};

const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'r', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const hello = chunk({ content: 'Hello' });
const answer = `${hello}${chunk({}, 'stop')}data: [DONE]\n\n`;
const partial = [{ type: 'text', text: 'Hello' }];

const connecting = { type: 'status', status: 'connecting' };
const prefilling = { type: 'status', status: 'prefilling' };
const generating = { type: 'status', status: 'generating' };
const helloEvents = [
  { type: 'text_delta', block: 0, text: 'Hello' },
  { type: 'block_end', block: 0, content: { type: 'text', text: 'Hello' } },
];
const answered = [connecting, prefilling, generating, ...helloEvents];
const responseEnd = { type: 'response_end', responseId: 'r', model: 'm', content: partial, stopReason: 'stop' };

describe('the provider against a server', () => {
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Starts a server that gives these answers in turn, and repeats the last one. */
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

  /** The error, and the blocks that were kept. */
  async function failure(
    respond: Respond,
    options?: Partial<OpenAIProviderOptions>,
  ): Promise<Failure & { url: string }> {
    const { baseUrl } = await serve(respond);
    const last = (await run(baseUrl, options)).at(-1);
    assert.equal(last?.type, 'error');
    return { ...last, url: `${baseUrl}/v1/chat/completions` };
  }

  it('streams an answer', async () => {
    const { baseUrl, requests } = await serve(stream(answer));
    assert.deepEqual(await run(baseUrl), [...answered, responseEnd]);
    assert.equal(requests[0]?.url, '/v1/chat/completions');
  });

  it('sends one body and only the necessary headers', async () => {
    const { baseUrl, requests } = await serve(stream(answer));
    await run(baseUrl);
    await run(baseUrl, { apiKey: ' secret ' });
    const [first, second] = requests;
    assert.ok(first && second);
    assert.equal(first.body, second.body);
    assert.deepEqual(JSON.parse(first.body), {
      model: 'qwen',
      stream: true,
      stream_options: { include_usage: true },
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
      messages: [
        { role: 'system', content: 'You help.' },
        { role: 'user', content: 'Hello' },
      ],
    });
    const names = ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent'];
    assert.deepEqual(Object.keys(first.headers).sort(), names);
    assert.equal(second.headers.authorization, 'Bearer secret');
  });

  for (const name of [
    'qwen2.5-two-tool-calls.sse',
    'qwen3-thinking-then-tool.sse',
    'tool-call-as-text-wrong-template.sse',
  ]) {
    it(`reads ${name} the same in one packet and byte by byte`, async () => {
      const bytes = recording(name);
      const whole = await serve(stream(bytes));
      const single = await serve((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let index = 0; index < bytes.length; index++) response.write(bytes.subarray(index, index + 1));
        response.end();
      });
      const newToolUseId = (): string => 'minted';
      const expected = await run(whole.baseUrl, { newToolUseId });
      assert.equal(expected.at(-1)?.type, 'response_end');
      assert.deepEqual(merged(await run(single.baseUrl, { newToolUseId })), merged(expected));
    });
  }

  describe('reports the cause when', () => {
    it('nothing listens', async () => {
      const { baseUrl, server } = await serve(stream(answer));
      server.close();
      await once(server, 'close');
      const url = `${baseUrl}/v1/chat/completions`;
      const { host } = new URL(baseUrl);
      const message = `Cannot reach ${url}: the connection was refused. Is the model server running, and does it listen at ${host}?`;
      assert.deepEqual(await run(baseUrl), [
        connecting,
        { type: 'error', error: { code: 'connection', message }, partial: [] },
      ]);
    });

    const statuses: readonly (readonly [number, string, string, RegExp])[] = [
      [401, '{"error":{"message":"Invalid key"}}', 'unauthorized', /Invalid key/],
      [403, '{"detail":"Forbidden"}', 'unauthorized', /Forbidden/],
      [404, '{"error":{"message":"model \'qwen\' not found"}}', 'not_found', /model 'qwen' not found/],
      [500, '{"error":{"message":"out of memory"}}', 'server_error', /out of memory/],
      [400, recordedBody('error-context-overflow.json'), 'context_overflow', /5030 tokens/],
      [500, recordedBody('error-bad-tool-arguments-in-history.json'), 'server_error', /Failed to parse tool call/],
      [429, 'slow down', 'bad_request', /slow down/],
      [503, 'no worker', 'server_error', /no worker/],
    ];
    for (const [status, body, code, message] of statuses) {
      it(`the server answers ${status} (${code})`, async () => {
        const { error, partial: kept } = await failure((response) => response.writeHead(status).end(body));
        assert.deepEqual([error.code, error.status, kept], [code, status, []]);
        assert.match(error.message, message);
      });
    }

    it('the server repeats the rejected key, and hides the key', async () => {
      const body = JSON.stringify({ error: { message: 'Invalid token sk-mine-1234, received sk-mine-1234' } });
      const { error } = await failure((response) => response.writeHead(401).end(body), { apiKey: 'sk-mine-1234' });
      assert.match(error.message, /Invalid token \[the API key\], received \[the API key\]/);
      assert.doesNotMatch(error.message, /sk-mine/);
    });

    it(proving('ST19', 'the server answers 500 with megabytes of HTML, and reads only the beginning'), async () => {
      let sent = 0;
      const page = `<html><h1>Oops</h1>${'<p>x</p>'.repeat(8_000)}`;
      const { error } = await failure((response) => {
        response.writeHead(500, { 'content-type': 'text/html' });
        const write = (): void => {
          while (!response.destroyed && response.write(page)) sent += page.length;
          if (!response.destroyed) response.once('drain', write);
        };
        write();
      });
      assert.deepEqual([error.code, error.status], ['server_error', 500]);
      // The beginning of the page as text.
      assert.match(error.message, /Oops x x x/);
      assert.doesNotMatch(error.message, /<p>/);
      assert.ok(error.message.length > 2_000 && error.message.length < 2_500);
      assert.ok(sent < 50_000_000);
    });

    it('the server answers 200 with a web page', async () => {
      const { error, url } = await failure((response) => response.end('<!doctype html><title>Router</title>'));
      assert.equal(error.code, 'not_openai_compatible');
      assert.match(error.message, /Router/);
      assert.ok(error.message.includes(url));
    });

    it('the server answers 200 with other JSON or with text', async () => {
      for (const body of ['{"hello":1}', 'hello']) {
        const { error } = await failure((response) => response.end(body));
        assert.equal(error.code, 'not_openai_compatible');
        assert.match(error.message, /hello/);
      }
    });

    it(proving('ST25', 'the server redirects, and does not follow'), async () => {
      const target = await serve(stream(answer));
      const redirect: Respond = (response) => response.writeHead(307, { location: `${target.baseUrl}/v1/x` }).end();
      const { error } = await failure(redirect, { apiKey: 'secret' });
      assert.equal(error.code, 'not_openai_compatible');
      assert.ok(error.message.includes(target.baseUrl));
      assert.deepEqual(target.requests, []);
    });

    it('the server closes the connection without an answer', async () => {
      const { error } = await failure((response) => response.destroy());
      assert.equal(error.code, 'connection');
      const empty = await failure((response) => response.end());
      assert.equal(empty.error.code, 'stream_broken');
      const broken = await failure((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ role: 'assistant' }), () => response.destroy());
      });
      assert.deepEqual([broken.error.code, broken.partial], ['stream_broken', []]);
    });

    it('the server does not speak HTTP', async () => {
      const tcp = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
      await listen(tcp);
      servers.push(tcp);
      const last = (await run(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}`)).at(-1);
      assert.ok(last?.type === 'error');
      assert.match(last.error.message, /does not speak HTTP/);
    });

    it('the key cannot be a header', async () => {
      const { error } = await failure(stream(answer), { apiKey: 'se cret\nx' });
      assert.equal(error.code, 'invalid_options');
      assert.ok(!error.message.includes('cret'));
    });

    for (const [name, body] of [
      ['an event', 'data: {"error":{"message":"exploded","code":500}}\n\n'],
      ['an event of its own type', 'event: error\ndata: {"message":"exploded"}\n\n'],
      ['a line of its own', 'error: {"message":"exploded"}\n\n'],
      ['JSON without a frame', '{"error":"exploded"}\n'],
    ] as const) {
      it(`the server sends an error as ${name} of a stream`, async () => {
        const { error, partial: kept } = await failure(stream(`${hello}${body}`));
        assert.equal(error.code, 'server_error');
        assert.match(error.message, /exploded/);
        assert.deepEqual(kept, partial);
        const first = await failure(stream(body));
        assert.match(first.error.message, /exploded/);
        assert.deepEqual(first.partial, []);
      });
    }

    describe('the prompt is too long, in any envelope', () => {
      const words = 'request (5030 tokens) exceeds the available context size (2048 tokens), try increasing it';
      const envelopes = {
        'error.message': JSON.stringify({ error: { message: words } }),
        error: JSON.stringify({ error: words }),
        message: JSON.stringify({ object: 'error', message: words }),
        detail: JSON.stringify({ detail: words }),
        text: words,
      };
      const role = 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n';
      for (const [name, body] of Object.entries(envelopes)) {
        const answers: Readonly<Record<string, readonly [number, string]>> = {
          'with 400': [400, body],
          'with 500': [500, body],
          'with 200': [200, body],
          'inside the stream': [200, `${role}data: ${body}\n\n`],
          'as an event of its own': [200, `event: error\ndata: ${body}\n\n`],
          'as a line of its own': [200, `error: ${body}\n\n`],
        };
        for (const [way, [status, answered]] of Object.entries(answers)) {
          it(`${name}, ${way}`, async () => {
            const { error } = await failure((response) => response.writeHead(status).end(answered));
            assert.deepEqual(
              [error.code, error.contextLimit, error.promptTokens],
              ['context_overflow', 2048, 5030],
              error.message,
            );
          });
        }
      }
    });

    it('the context overflows within the stream', async () => {
      const { error } = await failure(
        stream(`${hello}data: {"error":{"code":500,"message":"Context size has been exceeded."}}\n\n`),
      );
      assert.deepEqual([error.code, error.status], ['context_overflow', 500]);
    });

    it('the server stays silent longer than allowed', async () => {
      const before = await failure(() => undefined, { silenceTimeoutMs: 20 });
      assert.deepEqual([before.error.code, before.partial], ['silent', []]);
      const between = await failure((response) => response.write(hello), { silenceTimeoutMs: 50 });
      assert.deepEqual([between.error.code, between.partial], ['silent', partial]);
    });
  });

  it(proving('ST33 ST34', 'ignores chunks without choices and without content'), async () => {
    const odd = [safetySample('ST33'), safetySample('ST34')].map(({ input }) => {
      const [key = '', value = ''] = input.split(': ');
      const written = JSON.parse(value) as unknown;
      return key === 'choices' ? { id: 'r', choices: written } : { id: 'r', choices: [{ delta: { [key]: written } }] };
    });
    const noise = odd.map((sent) => `data: ${JSON.stringify(sent)}\n\n`).join('');
    const { baseUrl } = await serve(stream(noise + answer));
    assert.deepEqual((await run(baseUrl)).at(-1), responseEnd);
  });

  it('rejects arguments that are JSON inside a JSON string', async () => {
    const args = JSON.parse(safetySample('ST29').input.replace('arguments ', '')) as string;
    assert.deepEqual(JSON.parse(JSON.parse(args) as string), { a: 1 });
    const call = { index: 0, id: 'c', function: { name: 'read_file', arguments: args } };
    const { baseUrl } = await serve(stream(chunk({ tool_calls: [call] }) + chunk({}, 'tool_calls')));
    const last = (await run(baseUrl)).at(-1);
    assert.ok(last?.type === 'response_end');
    const [block] = last.content;
    assert.equal(
      block?.type === 'tool_use_error' && block.error,
      'The arguments must be one JSON object, not a string.',
    );
  });

  it(proving('ST16', 'keeps the text of a broken stream, and yields none of its calls'), async () => {
    const call = { index: 0, id: 'c', function: { name: 'read_file', arguments: '{"path":"a"}' } };
    const begun = hello + chunk({ tool_calls: [call] });
    const broken = await failure((response) => response.write(begun, () => response.destroy()));
    assert.equal(broken.error.code, 'stream_broken');
    const ended = (await run((await serve(stream(begun))).baseUrl)).at(-1);
    assert.ok(ended?.type === 'response_end');
    assert.equal(ended.stopReason, 'incomplete');
    const types = ['text', 'tool_use_error'];
    assert.deepEqual(
      [broken.partial, ended.content].map((list) => list.map((block) => block.type)),
      [types, types],
    );
  });

  it('ignores how the connection ends after a complete answer', async () => {
    const { baseUrl } = await serve((response) => response.write(hello + chunk({}, 'stop'), () => response.destroy()));
    assert.deepEqual((await run(baseUrl)).at(-1), responseEnd);
  });

  it('does not wait for the end of the connection after [DONE]', async () => {
    const { baseUrl } = await serve((response) => response.write(answer));
    assert.deepEqual((await run(baseUrl)).at(-1), responseEnd);
  });

  it('does not wait forever for an open connection to end', async () => {
    const { baseUrl } = await serve((response) => response.write(hello + chunk({}, 'stop')));
    assert.deepEqual((await run(baseUrl, { stalledAfterMs: 5 })).at(-1), responseEnd);
  });

  it('uses a JSON answer although a stream was asked for', async () => {
    const message = { role: 'assistant', content: 'Hello' };
    const whole = {
      id: 'r',
      model: 'm',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    };
    const { baseUrl } = await serve((response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(whole, null, 2));
    });
    assert.deepEqual(await run(baseUrl), [...answered, responseEnd]);
  });

  it('reports a malformed chunk and continues', async () => {
    const { baseUrl } = await serve(stream(`data: {"choices": [oops\n\n${answer}`));
    assert.deepEqual(await run(baseUrl), [
      connecting,
      prefilling,
      generating,
      { type: 'malformed_chunk', text: '{"choices": [oops' },
      ...helloEvents,
      responseEnd,
    ]);
  });

  it('reports malformed chunks once when there is nothing else', async () => {
    const { baseUrl } = await serve(stream('data: {oops\n\ndata: again}\n\n'));
    const events = await run(baseUrl);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['status', 'status', 'error'],
    );
    const last = events.at(-1);
    assert.ok(last?.type === 'error');
    assert.equal(last.error.code, 'not_openai_compatible');
    assert.match(last.error.message, /no chat completion: "\{oops again\}"/);
  });

  it(proving('ST12', 'ignores comments, empty data and unknown fields'), async () => {
    const noise = ': ping\n\ndata:\n\nevent: message\nid: 7\nretry: 3\n';
    const { baseUrl } = await serve(stream(noise + answer));
    assert.deepEqual(await run(baseUrl), [...answered, responseEnd]);
  });

  it(proving('ST09', 'shows invalid UTF-8 as replacement characters'), async () => {
    const bytes = Buffer.concat([
      Buffer.from('data: {"choices":[{"delta":{"content":"a'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('b"}}]}\n\ndata: [DONE]\n\n'),
    ]);
    const { baseUrl } = await serve(stream(bytes));
    const last = (await run(baseUrl)).at(-1);
    assert.ok(last?.type === 'response_end');
    assert.deepEqual(last.content, [{ type: 'text', text: 'a\ufffd\ufffdb' }]);
  });

  it(proving('ST26', 'reads a compressed answer, and only the beginning of a compression bomb'), async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(answer));
    });
    assert.deepEqual((await run(baseUrl)).at(-1), responseEnd);
    const { error } = await failure((response) => {
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(200_000_000, 'x')));
    });
    assert.ok(error.message.length < 3_000);
  });

  it(proving('ST26', 'rejects a body of white space and JSON without an end, and keeps little of them'), async () => {
    const bomb =
      (beginning: string, length: number): Respond =>
      (response) => {
        const body = gzipSync(Buffer.concat([Buffer.from(beginning), Buffer.alloc(length, ' ')]));
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
      };
    assert.equal((await failure(bomb('', 40_000_000))).error.code, 'stream_broken');
    const { error } = await failure(bomb('{"choices":[', 70_000_000));
    assert.match(error.message, /an answer of more than 67108864 characters in one piece/);
  });

  it('waits while the server loads its model', async () => {
    const { status, body } = JSON.parse(recording('error-loading.json').toString()) as { status: number; body: string };
    const loading: Respond = (response) => response.writeHead(status).end(body);
    const { baseUrl, requests } = await serve(loading, loading, stream(answer));
    assert.deepEqual(await run(baseUrl), [
      connecting,
      prefilling,
      { type: 'status', status: 'loading_model', detail: 'Loading model' },
      prefilling,
      generating,
      ...helloEvents,
      responseEnd,
    ]);
    assert.equal(requests.length, 3);
  });

  it('omits stream_options after a server rejected them', async () => {
    const reject: Respond = (response) => response.writeHead(400).end('{"error":"unknown field stream_options"}');
    const { baseUrl, requests } = await serve(reject, stream(answer));
    const provider = createOpenAIProvider({ baseUrl });
    for (const round of [1, 2]) {
      const events = await collect(provider.stream(request, { signal: new AbortController().signal }));
      assert.deepEqual(events.at(-1), responseEnd, `round ${round}`);
    }
    assert.deepEqual(
      requests.map(({ body }) => body.includes('stream_options')),
      [true, false, false],
    );
  });

  it('reports when an answer stalls and when it continues', async () => {
    let goOn = (): void => {};
    const { baseUrl } = await serve((response) => {
      response.write(hello);
      goOn = () => response.end(chunk({ content: '!' }) + chunk({}, 'stop'));
    });
    const provider = createOpenAIProvider({ baseUrl, silenceTimeoutMs: null, stalledAfterMs: 5 });
    const statuses: string[] = [];
    for await (const event of provider.stream(request, { signal: new AbortController().signal })) {
      if (event.type !== 'status') continue;
      statuses.push(event.status);
      if (event.status === 'stalled') goOn();
    }
    assert.deepEqual(statuses, ['connecting', 'prefilling', 'generating', 'stalled', 'generating']);
  });

  it(proving('ST07', 'stops a server that never stops'), async () => {
    const line = chunk({ content: 'x'.repeat(50_000) });
    const { baseUrl } = await serve((response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(line));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const last = (await run(baseUrl)).at(-1);
    assert.ok(last?.type === 'response_end');
    assert.equal(last.stopReason, 'length');
  });

  describe('closes the socket when it is interrupted', () => {
    const interrupted = { code: 'interrupted', message: 'The request was interrupted.' };

    /** Aborts at the first event that `isTime` accepts. Resolves once the server has seen the socket close. */
    async function interrupt(respond: Respond, isTime: (event: ModelEvent) => boolean): Promise<ModelEvent[]> {
      let closed: Promise<unknown> = Promise.resolve();
      const { baseUrl } = await serve((response, incoming, body) => {
        closed = once(incoming.socket, 'close');
        respond(response, incoming, body);
      });
      const controller = new AbortController();
      const provider = createOpenAIProvider({ baseUrl, silenceTimeoutMs: null, loadingRetryMs: 60_000 });
      const events: ModelEvent[] = [];
      for await (const event of provider.stream(request, { signal: controller.signal })) {
        events.push(event);
        if (isTime(event)) controller.abort();
      }
      await closed;
      return events;
    }

    it('before it connects', async () => {
      const { baseUrl, requests } = await serve(stream(answer));
      const provider = createOpenAIProvider({ baseUrl });
      const events = await collect(provider.stream(request, { signal: AbortSignal.abort() }));
      assert.deepEqual(events, [connecting, { type: 'error', error: interrupted, partial: [] }]);
      assert.deepEqual(requests, []);
    });

    it('while the server reads the prompt', async () => {
      const events = await interrupt(
        () => undefined,
        (event) => event.type === 'status' && event.status === 'prefilling',
      );
      assert.deepEqual(events, [connecting, prefilling, { type: 'error', error: interrupted, partial: [] }]);
    });

    it('between the headers and the first token', async () => {
      const events = await interrupt(
        (response) => response.write('data: {"prompt_progress":{"total":9,"processed":1,"cache":0}}\n\n'),
        (event) => event.type === 'prompt_progress',
      );
      assert.deepEqual(events.at(-1), { type: 'error', error: interrupted, partial: [] });
    });

    it('within an answer', async () => {
      const events = await interrupt(
        (response) => response.write(hello),
        (event) => event.type === 'text_delta',
      );
      assert.deepEqual(events, [...answered, { type: 'error', error: interrupted, partial }]);
    });

    it('while it waits for a model to load', async () => {
      const events = await interrupt(
        (response) => response.writeHead(503).end('Loading model'),
        (event) => event.type === 'status' && event.status === 'loading_model',
      );
      assert.deepEqual(events.at(-1), { type: 'error', error: interrupted, partial: [] });
    });

    it('and when the reader leaves', async () => {
      let closed: Promise<unknown> = Promise.resolve();
      const { baseUrl } = await serve((response, incoming) => {
        closed = once(incoming.socket, 'close');
        response.write(hello);
      });
      const provider = createOpenAIProvider({ baseUrl });
      for await (const event of provider.stream(request, { signal: new AbortController().signal })) {
        if (event.type === 'text_delta') break;
      }
      await closed;
    });
  });

  it('logs each request and its end, and never the key', async () => {
    const lines: string[] = [];
    const logger: ModelLogger = {
      request: ({ body, ...info }) => lines.push(JSON.stringify({ ...info, body: body() })),
      response: ({ ms, content, ...info }) => {
        assert.equal(typeof ms, 'number');
        lines.push(JSON.stringify({ ...info, content: content() }));
      },
    };
    const { baseUrl } = await serve(stream(answer), (response) => response.writeHead(500).end('broken'));
    const provider = createOpenAIProvider({ baseUrl, apiKey: 'secret', logger });
    for (let round = 0; round < 2; round++)
      await collect(provider.stream(request, { signal: new AbortController().signal }));
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(logged[0]?.['messageCount'], 2);
    assert.deepEqual(
      [logged[1]?.['status'], logged[1]?.['stopReason'], logged[1]?.['content']],
      [200, 'stop', JSON.stringify(partial)],
    );
    assert.deepEqual(
      [logged[3]?.['status'], (logged[3]?.['error'] as { code: string } | undefined)?.code],
      [500, 'server_error'],
    );
    assert.ok(!lines.join('').includes('secret'));
  });
});

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

function stream(body: string | Buffer): Respond {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(body);
  };
}

function recordedBody(name: string): string {
  return (JSON.parse(recording(name).toString('utf8')) as { body: string }).body;
}

async function listen(server: { listen(port: number, host: string, done: () => void): unknown }): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}
