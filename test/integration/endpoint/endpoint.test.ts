import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { OpenAI } from 'openai';
import type { Endpoint } from '../../../src/endpoint/startEndpoint';
import { defaultLimits } from '../../../src/endpoint/http/limits';
import { MAX_IMAGE_BYTES } from '../../../src/util/images/imageHeader';
import { dataUrl, pngOf } from '../../support/images/sampleImages';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { proving, safetySample } from '../../support/safetySample';
import { serveAgent, TOKEN, type ServedAgentOptions } from '../../support/servers/servedAgent';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const bearer = { authorization: `Bearer ${TOKEN}` };
const json = { ...bearer, 'content-type': 'application/json' };
const hello = { model: 'open-agent', messages: [{ role: 'user', content: 'Hello' }] } as const;

describe('endpoint', () => {
  let model: ModelServer;
  let folder: TemporaryFolder;
  const served: Endpoint[] = [];
  let lines: readonly string[];

  beforeEach(async () => {
    model = await ModelServer.start();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
  });

  afterEach(async () => {
    for (const endpoint of served.splice(0)) await endpoint.stop();
    await model.dispose();
    await folder.dispose();
  });

  async function serve(options: Partial<ServedAgentOptions> = {}): Promise<Endpoint> {
    const started = await serveAgent({ modelUrl: model.baseUrl, folder: folder.path, ...options });
    served.push(started.endpoint);
    ({ lines } = started);
    return started.endpoint;
  }

  const bodyOf = (input: string): object => JSON.parse(input.replace('POST ', '')) as object;

  const portOf = ({ baseUrl }: Endpoint): number => Number(new URL(baseUrl).port);

  function post(
    { baseUrl }: Endpoint,
    body: unknown,
    headers: Record<string, string> = json,
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body), signal });
  }

  /**
   * Sends exactly these bytes, then one more every few milliseconds if it drips. Resolves to the status of the answer, or 0
   * if the connection ended without one.
   */
  function raw(endpoint: Endpoint, text: string, { isDripping = false } = {}): Promise<number> {
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(portOf(endpoint), '127.0.0.1', () => socket.write(text));
      const drip = isDripping ? setInterval(() => socket.write('x'), 5) : undefined;
      socket.setEncoding('utf8').on('data', (part) => (answer += part));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0));
      });
    });
  }

  function get(endpoint: Endpoint, ...headers: readonly string[]): Promise<number> {
    const host = `Host: 127.0.0.1:${portOf(endpoint)}`;
    return raw(endpoint, ['GET /v1/models HTTP/1.1', host, 'Connection: close', ...headers, '', ''].join('\r\n'));
  }

  describe('access', () => {
    it('accepts the token, with any case of the scheme', async () => {
      const endpoint = await serve();
      assert.equal(await get(endpoint, `Authorization: Bearer ${TOKEN}`), 200);
      const { input, expected } = safetySample('HT05');
      assert.equal(await get(endpoint, input.replace(/T$/, TOKEN)), Number(expected));
    });

    it('rejects a missing, a short and a wrong token', async () => {
      const endpoint = await serve();
      assert.equal(await get(endpoint), 401);
      const { input, expected } = safetySample('HT03');
      assert.equal(await get(endpoint, input.replace('GET /v1/models ', '')), Number(expected));
      assert.equal(await get(endpoint, `Authorization: Bearer ${TOKEN}x`), 401);
      assert.equal(await get(endpoint, `Authorization: Basic ${TOKEN}`), 401);
    });

    it(proving('HT06', 'rejects two Authorization headers'), async () => {
      const endpoint = await serve();
      assert.equal(await get(endpoint, `Authorization: Bearer ${TOKEN}`, 'Authorization: Bearer x'), 400);
    });

    it('rejects web pages and other host names, even with the token', async () => {
      const endpoint = await serve();
      const authorization = `Authorization: Bearer ${TOKEN}`;
      for (const { input, expected } of [safetySample('HT13'), safetySample('HT14')]) {
        assert.equal(await get(endpoint, authorization, input.replace(' + valid token', '')), Number(expected));
      }
      assert.equal(await get(endpoint, authorization, 'Origin: http://127.0.0.1'), 403);
      assert.equal(await get(endpoint, authorization, 'Sec-Fetch-Site: same-origin'), 403);
      const request = `GET /v1/models HTTP/1.1\r\nHost: evil.example:${portOf(endpoint)}\r\n${authorization}\r\nConnection: close\r\n\r\n`;
      assert.equal(await raw(endpoint, request), 403);
      const preflight = await fetch(`${endpoint.baseUrl}/models`, { method: 'OPTIONS', headers: bearer });
      assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [405, null]);
    });

    it(proving('HT19', 'ends connections whose headers do not arrive or arrive byte by byte'), async () => {
      const endpoint = await serve({ limits: { headersMs: 50, requestMs: 100, checkMs: 10 } });
      assert.equal(await raw(endpoint, 'GET /v1/models HTTP/1.1\r\nHo'), 408);
      assert.equal(await raw(endpoint, 'GET /v1/models HTTP/1.1\r\nX: ', { isDripping: true }), 408);
    });

    it(proving('HT34', 'listens only on loopback'), async function () {
      const lan = Object.values(networkInterfaces())
        .flat()
        .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
      // Without a network, uses another loopback address: a server on all addresses answers there too.
      const other = lan ?? '127.0.0.2';
      const endpoint = await serve();
      const code = await new Promise((resolve) => {
        const socket = connect(portOf(endpoint), other, () => resolve('connected'));
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      });
      assert.equal(code, 'ECONNREFUSED');
    });

    it('accepts only JSON of limited size', async () => {
      const endpoint = await serve({ limits: { maxBodyBytes: 1_000 } });
      assert.equal((await post(endpoint, hello, { ...bearer, 'content-type': 'text/plain' })).status, 415);
      const long = { ...hello, messages: [{ role: 'user', content: 'x'.repeat(2_000) }] };
      assert.equal((await post(endpoint, long)).status, 413);
      const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${portOf(endpoint)}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
      const chunked = `Transfer-Encoding: chunked\r\n\r\n7d0\r\n${'x'.repeat(2_000)}\r\n`;
      assert.equal(await raw(endpoint, head + chunked), 413);
      assert.equal(await raw(endpoint, `${head}Connection: close\r\nContent-Length: 1\r\n\r\n{`), 400);
      assert.deepEqual(model.completions, []);
    });

    it('takes a photo, and has room for an image of the largest size', async () => {
      assert.ok(defaultLimits.maxBodyBytes > (MAX_IMAGE_BYTES * 4) / 3 + 1_000_000);
      model.script({ text: 'Red.' });
      const endpoint = await serve();
      const png = Buffer.concat([pngOf(8, 8), Buffer.alloc(4_000_000)]);
      const content = [
        { type: 'text', text: 'Which colour?' },
        { type: 'image_url', image_url: { url: dataUrl(png) } },
      ];
      const response = await post(endpoint, { ...hello, messages: [{ role: 'user', content }] });
      assert.equal(response.status, 200, await response.clone().text());
      assert.ok(model.completions[0]?.text.includes(dataUrl(png).slice(0, 200)));
    });

    it('lists its model', async () => {
      const endpoint = await serve();
      const unknown = safetySample('HT24');
      const [status, code] = unknown.expected.split(' ');
      const answer = await post(endpoint, { ...hello, ...bodyOf(unknown.input) });
      const message = 'There is no model "nope" here. The model is "open-agent".';
      const error = { message, type: 'invalid_request_error', param: 'model', code };
      assert.deepEqual([answer.status, await answer.json()], [Number(status), { error }]);
      assert.equal((await post(endpoint, { ...hello, ...bodyOf(safetySample('HT26').input) })).status, 400);
    });
  });

  it('streams to curl as documented', async () => {
    model.script({ thinking: 'Hm.', text: ['Hel', 'lo.'], usage: { promptTokens: 12, completionTokens: 3 } });
    const endpoint = await serve({ limits: { joinMs: 60_000 } });
    const { stdout } = await promisify(execFile)('curl', [
      '--silent',
      '--include',
      '--no-buffer',
      ...Object.entries(json).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      '--data',
      JSON.stringify({ ...hello, stream: true }),
      `${endpoint.baseUrl}/chat/completions`,
    ]);
    const [head = '', body = ''] = stdout.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream; charset=utf-8\r\n/);
    const events = body.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'));
    const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'open-agent' };
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      ...base,
      choices: [{ index: 0, delta, finish_reason }],
    });
    assert.deepEqual(
      events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)) as unknown),
      [
        chunk({ role: 'assistant', content: '' }),
        chunk({ reasoning_content: 'Hm.' }),
        chunk({ content: 'Hello.' }),
        { ...chunk({}, 'stop'), usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } },
      ],
    );
    assert.equal(events.at(-1), 'data: [DONE]');
    assert.deepEqual(lines, [
      'chatcmpl-1 started: 1 message, streaming.',
      'chatcmpl-1 completed after 0.0 s: stop, 12 tokens read, 3 written.',
    ]);
  });

  it('works with the openai client, its history and the tools of the workspace', async () => {
    model.script(
      { text: 'Let me look.', toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      { text: 'It says one.' },
    );
    const client = new OpenAI({ baseURL: (await serve()).baseUrl, apiKey: TOKEN, maxRetries: 0 });
    const listed = await client.models.list();
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      ['open-agent'],
    );
    const stream = client.chat.completions.stream({
      model: 'open-agent',
      stream_options: { include_usage: true },
      max_tokens: 500,
      messages: [
        { role: 'system', content: 'Speak like a pirate.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi.' }] },
        { role: 'assistant', content: 'Ahoy.' },
        { role: 'user', content: 'What is in a.txt?' },
      ],
    });
    const tools: unknown[] = [];
    stream.on('chunk', (part) => {
      if ('open_agent' in part) tools.push(part.open_agent);
    });
    const answer = await stream.finalChatCompletion();
    assert.equal(answer.choices[0]?.message.content, 'Let me look.\n\nIt says one.');
    assert.equal(answer.usage?.completion_tokens, 40);
    assert.deepEqual(tools, [
      { tool: { id: 'call_1_0', name: 'read_file', state: 'started' } },
      { tool: { id: 'call_1_0', name: 'read_file', state: 'succeeded' } },
    ]);
    const { messages, max_tokens } = model.completions[0]!.body;
    assert.deepEqual(
      messages.slice(1).map(({ role, content }) => [role, content]),
      [
        ['user', 'Hi.'],
        ['assistant', 'Ahoy.'],
        ['user', 'What is in a.txt?'],
      ],
    );
    assert.match(messages[0]?.content ?? '', /^You are Open Agent[\s\S]*Speak like a pirate\.$/);
    assert.equal(max_tokens, 500);
  });

  it('gives the openai client a whole answer, and errors it understands', async () => {
    const client = new OpenAI({ baseURL: (await serve()).baseUrl, apiKey: TOKEN, maxRetries: 0 });
    model.script({ thinking: 'Hm.', text: 'Hi.', usage: { promptTokens: 5, completionTokens: 2 } });
    assert.deepEqual(await client.chat.completions.create({ ...hello, messages: [...hello.messages] }), {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'open-agent',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hi.', reasoning_content: 'Hm.' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
    const withTools = client.chat.completions.create({
      ...hello,
      messages: [...hello.messages],
      tools: [{ type: 'function', function: { name: 'x' } }],
    });
    await assert.rejects(withTools, { status: 400, code: 'unsupported_parameter', param: 'tools' });
    model.setRoute('/v1/chat/completions', { status: 400, body: { error: { message: 'No such thing.' } } });
    const failing = client.chat.completions.create({ ...hello, messages: [...hello.messages] });
    await assert.rejects(failing, { status: 502, code: 'bad_request' });
    const streamed = await client.chat.completions.create({ ...hello, messages: [...hello.messages], stream: true });
    await assert.rejects(async () => {
      for await (const part of streamed) assert.ok(part.id);
    }, /No such thing/);
  });

  it('denies calls that need an answer: no caller can allow them', async () => {
    const write = { name: 'write_file', arguments: { path: 'a.txt', content: 'two\n' } };
    model.script({ toolCalls: [write] }, { text: 'I may not.' });
    const answer = await post(await serve(), hello);
    const { choices, open_agent } = (await answer.json()) as Record<string, unknown>;
    const message = { role: 'assistant', content: 'I may not.' };
    assert.deepEqual(choices, [{ index: 0, message, finish_reason: 'stop' }]);
    assert.deepEqual(open_agent, { tools: [{ id: 'call_1_0', name: 'write_file', state: 'denied' }] });
    assert.equal(await readFile(path.join(folder.path, 'a.txt'), 'utf8'), 'one\n');
    assert.match(
      JSON.stringify(model.completions[1]?.body.messages),
      /Nobody can be asked: this agent is used over the network/,
    );
  });

  it('ends a run at its token limit', async () => {
    const read = { name: 'read_file', arguments: { path: 'a.txt' } };
    model.script({ text: 'First.', toolCalls: [read], usage: { promptTokens: 1, completionTokens: 50 } });
    const answer = await post(await serve({ limits: { maxRunTokens: 50 } }), hello);
    const { choices } = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual(choices, [
      { index: 0, message: { role: 'assistant', content: 'First.' }, finish_reason: 'length' },
    ]);
    assert.equal(model.completions.length, 1);
  });

  it('cuts a response at the token limit of its run', async () => {
    const gate = createGate();
    model.script({ text: ['One', ' two', ' three', gate] });
    const answer = await post(await serve({ limits: { maxRunTokens: 2 } }), hello);
    const { choices } = (await answer.json()) as Record<string, unknown>;
    const message = { role: 'assistant', content: 'One two' };
    assert.deepEqual(choices, [{ index: 0, message, finish_reason: 'length' }]);
    const [completion] = model.completions;
    assert.equal(await completion?.closed, 'broken');
  });

  it('passes on sampling fields, limits tokens, and logs fields without effect', async () => {
    model.script({ text: 'Hi.' }, { text: 'Hi.' });
    const endpoint = await serve({ limits: { maxResponseTokens: 100 } });
    await (await post(endpoint, { ...hello, seed: 7, presence_penalty: 0.5, user: 'me' })).text();
    await (await post(endpoint, { ...hello, max_tokens: 10 })).text();
    const sent = model.completions.map(({ body }) => body as unknown as Record<string, unknown>);
    assert.deepEqual(
      sent.map(({ seed, presence_penalty, user, max_tokens }) => [seed, presence_penalty, user, max_tokens]),
      [
        [7, 0.5, undefined, 100],
        [undefined, undefined, undefined, 10],
      ],
    );
    assert.equal(lines[0], 'chatcmpl-1 started: 1 message; without effect: user.');
  });

  it(proving('HT29', 'ends the run of a client that disconnects'), async () => {
    const gate = createGate();
    model.script({ text: ['Once', gate, ' upon'] });
    const endpoint = await serve();
    const leaving = new AbortController();
    const answer = await post(endpoint, { ...hello, stream: true }, json, leaving.signal);
    const reader = answer.body!.getReader();
    await reader.read();
    const completion = await model.completion(1);
    await gate.reached;
    leaving.abort();
    assert.equal(await completion.closed, 'broken');
    await endpoint.stop();
    assert.equal(lines.at(-1), 'chatcmpl-1 stopped after 0.0 s: the client disconnected.');
  });

  it(proving('HT29', 'kills the processes that the tools of such a run started'), async () => {
    const pipe = path.join(folder.path, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    model.script({
      toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'echo $$ > pipe; exec sleep 600' } }],
    });
    const endpoint = await serve({ ask: () => Promise.resolve({ action: 'allow' }) });
    const leaving = new AbortController();
    const answer = post(endpoint, hello, json, leaving.signal).catch((error: Error) => error.name);
    const pid = Number(await readFile(pipe, 'utf8'));
    leaving.abort();
    assert.equal(await answer, 'AbortError');
    await endpoint.stop();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it('answers runs beyond the limit with 429', async () => {
    const gate = createGate();
    model.script({ text: ['One', gate] }, { text: 'Two' });
    const endpoint = await serve({ limits: { maxRuns: 2 } });
    const first = post(endpoint, hello);
    await model.completion(1);
    // The headers arrive when the run has its place.
    const second = await post(endpoint, { ...hello, stream: true });
    const third = await post(endpoint, hello);
    assert.deepEqual([third.status, third.headers.get('retry-after')], [429, '5']);
    assert.ok(second.body);
    let streamed = '';
    // The first run ends only when the second one waits for it.
    for await (const piece of second.body.pipeThrough(new TextDecoderStream())) {
      streamed += piece;
      if (/^: queued: behind another request$/m.test(streamed)) gate.open();
    }
    const whole = (await (await first).json()) as { choices: { message: unknown }[] };
    assert.deepEqual(whole.choices[0]?.message, { role: 'assistant', content: 'One' });
    assert.match(streamed, /"content":"Two"[\s\S]*\[DONE\]\n\n$/);
  });

  it('notifies its callers when it stops, and stops listening', async () => {
    const gate = createGate();
    model.script({ text: ['Once', gate] });
    const endpoint = await serve({ limits: { joinMs: 0 } });
    const answer = await post(endpoint, { ...hello, stream: true });
    await gate.reached;
    const text = answer.text();
    await endpoint.stop();
    assert.match(await text, /\ndata: \{"error":\{.*"interrupted"\}\}\n\ndata: \[DONE\]\n\n$/);
    await assert.rejects(post(endpoint, hello));
  });
});
