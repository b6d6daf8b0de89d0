import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { proving } from '../../support/safetySample';
import {
  answer,
  chunk,
  hello,
  listen,
  partial,
  stream,
  useProviderServers,
  type Respond,
} from '../../support/servers/providerServers';
import { messageOf } from '../../../src/util/errors';
import { recording } from '../../unit/sdk/model/streamFixtures';

const connecting = { type: 'status', status: 'connecting' };

describe('the provider reports the cause when', () => {
  const { serve, run, failure, keep } = useProviderServers();

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
    [429, 'slow down', 'rate_limited', /slow down/],
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

  it('the server repeats the key elsewhere: in a redirect, in JSON spelling, and in a stream', async () => {
    const apiKey = 'sk-mine/12"34';
    const json = JSON.stringify({ error: { message: `Invalid key ${apiKey}` } });
    const replies: readonly ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(307, { location: `https://a.test/?key=${apiKey}` }).end(),
      (response) => response.writeHead(401).end(`not JSON: ${JSON.stringify(apiKey).replaceAll('/', String.raw`\/`)}`),
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${json}\n\n`),
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(json),
      (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(`The key is ${apiKey}.`),
    ];
    for (const reply of replies) {
      const { error } = await failure(reply, { apiKey });
      const told = `${error.message} ${messageOf(error.cause)}`;
      assert.match(told, /\[the API key\]/);
      assert.doesNotMatch(told, /sk-mine/);
    }
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
    // The id finds the request in the server's log.
    assert.equal(broken.response?.responseId, 'r');
  });

  it('the server does not speak HTTP', async () => {
    const tcp = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    await listen(tcp);
    keep(tcp);
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

function recordedBody(name: string): string {
  return (JSON.parse(recording(name).toString('utf8')) as { body: string }).body;
}
