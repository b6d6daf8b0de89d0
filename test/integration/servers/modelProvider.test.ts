import assert from 'node:assert/strict';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { Client } from '../../../src/sdk';
import type { ModelEvent } from '../../../src/sdk/model/modelProvider';
import type { ModelLogger } from '../../../src/sdk/model/modelLogger';
import { createOpenAIProvider } from '../../../src/sdk/model/openaiProvider';
import { proving, safetySample } from '../../support/safetySample';
import {
  answer,
  chunk,
  collect,
  hello,
  partial,
  request,
  stream,
  useProviderServers,
  type Respond,
} from '../../support/servers/providerServers';
import { merged, recording, tools } from '../../unit/sdk/model/streamFixtures';

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
  const { serve, run, failure } = useProviderServers();

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

  it('sends a session id as headers, in the same body, and refuses what is no id', async () => {
    const { baseUrl, requests } = await serve(stream(answer));
    await run(baseUrl);
    await run(baseUrl, { sessionId: 'a-1' });
    const [without, withId] = requests;
    assert.equal(withId?.body, without?.body);
    assert.deepEqual([withId?.headers['x-session-id'], withId?.headers['x-litellm-session-id']], ['a-1', 'a-1']);
    await using client = new Client({ model: 'm', baseUrl, sessionId: 'b-2' });
    await client.query('Hi');
    for await (const block of client.receiveMessages()) assert.ok(block.type);
    assert.equal(requests.at(-1)?.headers['x-session-id'], 'b-2');
    for (const sessionId of ['', 'a b', 'a\r\nx-admin: 1', 'ä', 'a'.repeat(129)]) {
      assert.throws(() => createOpenAIProvider({ baseUrl, sessionId }), { code: 'invalid_options' }, sessionId);
    }
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
    assert.match(last.error.message, /not a chat completion: "\{oops again\}"/);
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

  it('waits for a model that loads for long, without a leak of listeners', async () => {
    const { status, body } = JSON.parse(recording('error-loading.json').toString()) as { status: number; body: string };
    const loading: Respond = (response) => response.writeHead(status).end(body);
    const { baseUrl } = await serve(...Array<Respond>(25).fill(loading), stream(answer));
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    const provider = createOpenAIProvider({ baseUrl, loadingRetryMs: 1 });
    const events = await collect(provider.stream(request, { signal: new AbortController().signal }));
    // Warnings come in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    assert.deepEqual(warnings, []);
    assert.deepEqual(events.at(-1), responseEnd);
    // Again after ten and after twenty answers.
    const told = events.filter((event) => event.type === 'status' && event.status === 'loading_model');
    assert.equal(told.length, 3);
  });

  it('asks for the progress of the prompt only where the server is known to report it', async () => {
    for (const reportsProgress of [undefined, () => false, () => true]) {
      const { baseUrl, requests } = await serve(stream(answer));
      const provider = createOpenAIProvider({ baseUrl, reportsProgress });
      await collect(provider.stream(request, { signal: new AbortController().signal }));
      const isAsked = reportsProgress?.() ?? false;
      assert.deepEqual(
        requests.map(({ body }) => body.includes('return_progress')),
        [isAsked],
      );
    }
  });

  it('omits return_progress after a server rejected it', async () => {
    const reject: Respond = (response) => response.writeHead(400).end('{"error":"unknown field return_progress"}');
    const { baseUrl, requests } = await serve(reject, stream(answer));
    const provider = createOpenAIProvider({ baseUrl, reportsProgress: () => true });
    for (const round of [1, 2]) {
      const events = await collect(provider.stream(request, { signal: new AbortController().signal }));
      assert.deepEqual(events.at(-1), responseEnd, `round ${round}`);
    }
    assert.deepEqual(
      requests.map(({ body }) => body.includes('return_progress')),
      [true, false, false],
    );
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
      assert.deepEqual(events, [
        ...answered,
        { type: 'error', error: interrupted, partial, response: { responseId: 'r', model: 'm' } },
      ]);
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
