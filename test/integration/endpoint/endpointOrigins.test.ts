import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../../../src/endpoint/startEndpoint';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { ModelServer } from '../../support/servers/modelServer';
import { serveAgent, TOKEN } from '../../support/servers/servedAgent';

const obsidian = 'app://obsidian.md';
const hello = { model: 'open-agent', messages: [{ role: 'user', content: 'Hello' }] };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe('pages of allowed origins at the endpoint', () => {
  let model: ModelServer;
  let folder: TemporaryFolder;
  let endpoint: Endpoint;

  beforeEach(async () => {
    model = await ModelServer.start();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    const allowedOrigins = [obsidian, 'https://notes.example'];
    ({ endpoint } = await serveAgent({ modelUrl: model.baseUrl, folder: folder.path, allowedOrigins }));
  });
  afterEach(async () => {
    await endpoint.stop();
    await model.dispose();
    await folder.dispose();
  });

  /** Sends a request as a browser does, with any headers. */
  function send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(`${endpoint.baseUrl}${path}`, { method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  const bearer = { authorization: `Bearer ${TOKEN}` };
  const json = { ...bearer, 'content-type': 'application/json' };
  const corsOf = ({ headers }: Answer): readonly string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'));

  it('get answers that they may read, streamed or not, and their errors', async () => {
    model.script({ text: 'Hello!' }, { text: 'Hello again!' });
    const page = { origin: obsidian, 'sec-fetch-site': 'cross-site' };
    for (const stream of [false, true]) {
      const answer = await send('POST', '/chat/completions', { ...json, ...page }, { ...hello, stream });
      assert.equal(answer.status, 200);
      assert.match(answer.text, /Hello/);
      assert.deepEqual([answer.headers['access-control-allow-origin'], answer.headers.vary], [obsidian, 'Origin']);
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    }
    const errors = [
      await send('GET', '/models/other', { ...bearer, ...page }),
      await send('GET', '/nothing', { ...bearer, ...page }),
      await send('GET', '/models', page),
      await send('POST', '/chat/completions', { ...json, ...page }, { ...hello, n: 2 }),
    ];
    assert.deepEqual(
      errors.map(({ status }) => status),
      [404, 404, 401, 400],
    );
    for (const error of errors) assert.equal(error.headers['access-control-allow-origin'], obsidian);
  });

  it('are asked for the token, and for the right host', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Bearer' }]) {
      const answer = await send('POST', '/chat/completions', { ...headers, origin: obsidian }, hello);
      assert.equal(answer.status, 401);
    }
    const host = await send('GET', '/models', { ...bearer, origin: obsidian, host: 'evil.example' });
    assert.deepEqual([host.status, corsOf(host)], [403, []]);
    assert.deepEqual(
      model.requests.filter(({ method }) => method === 'POST'),
      [],
    );
  });

  it('may ask before they send, without a token; nothing runs for that', async () => {
    const ask = {
      origin: obsidian,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-stainless-os, bad header,X-Stainless-Lang',
      'access-control-request-private-network': 'true',
    };
    const answer = await send('OPTIONS', '/chat/completions', ask);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    const { headers } = answer;
    assert.equal(headers['access-control-allow-origin'], obsidian);
    assert.equal(headers['access-control-allow-methods'], 'GET, POST');
    assert.equal(
      headers['access-control-allow-headers'],
      'authorization, content-type, x-stainless-os, x-stainless-lang',
    );
    assert.equal(headers['access-control-allow-private-network'], 'true');
    const host = await send('OPTIONS', '/chat/completions', { ...ask, host: 'evil.example' });
    assert.deepEqual([host.status, corsOf(host)], [403, []]);
    // Without the question of a browser it is a request like any other.
    assert.equal((await send('OPTIONS', '/models', { origin: obsidian })).status, 401);
  });

  const others = [
    'null',
    '*',
    'app://obsidian.md.evil.example',
    'app://obsidian',
    'APP://obsidian.md',
    'app://obsidian.md/',
  ];
  for (const origin of [
    ...others,
    'http://notes.example',
    'https://notes.example:444',
    'https://sub.notes.example',
    '',
  ]) {
    it(`refuses every request of the origin "${origin}"`, async () => {
      const ask = { origin, 'access-control-request-method': 'POST' };
      for (const answer of [
        await send('GET', '/models', { ...bearer, origin }),
        await send('POST', '/chat/completions', { ...json, origin }, hello),
        await send('OPTIONS', '/chat/completions', ask),
      ]) {
        assert.deepEqual([answer.status, corsOf(answer)], [403, []]);
      }
    });
  }

  it('are refused with a second origin, and without one from another site', async () => {
    const raw = await fetch(`${endpoint.baseUrl}/models`, { headers: { ...bearer, 'sec-fetch-site': 'cross-site' } });
    assert.equal(raw.status, 403);
    const two = await send('GET', '/models', { ...bearer, origin: `${obsidian}, https://evil.example` });
    assert.equal(two.status, 403);
  });

  it('is not needed by programs: the model can be read by its id, without CORS', async () => {
    const found = await send('GET', '/models/open-agent', bearer);
    assert.deepEqual(
      [found.status, JSON.parse(found.text), corsOf(found)],
      [200, { id: 'open-agent', object: 'model', created: 0, owned_by: 'open-agent' }, []],
    );
    const missing = await send('GET', '/models/gpt-4', bearer);
    assert.deepEqual(
      [missing.status, (JSON.parse(missing.text) as { error: { code: string } }).error.code],
      [404, 'model_not_found'],
    );
    assert.equal((await send('POST', '/models/open-agent', json, {})).status, 405);
    assert.equal((await send('GET', '/models/open-agent', {})).status, 401);
  });
});

describe('an endpoint whose list of origins holds no origin', () => {
  it('lets nobody in', async () => {
    await using model = await ModelServer.start();
    await using folder = await createTemporaryFolder();
    const allowedOrigins = ['*', 'null', ''];
    const { endpoint } = await serveAgent({ modelUrl: model.baseUrl, folder: folder.path, allowedOrigins });
    for (const origin of ['null', '*', obsidian]) {
      const answer = await fetch(`${endpoint.baseUrl}/models`, {
        headers: { authorization: `Bearer ${TOKEN}`, origin },
      });
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [403, null]);
    }
    await endpoint.stop();
  });
});
