import assert from 'node:assert/strict';
import fc from 'fast-check';
import { usualPorts } from '../../../src/agent/servers/probe/discovery';
import { allowedPaths, isOrigin, judgeRequest } from '../../../src/bridge/allowedRequests';
import { laptopPorts } from '../../../src/bridge/findServers';
import { parseMessage } from '../../../src/bridge/parseMessage';

const origin = 'http://localhost:8080';
const start = { version: 1, type: 'start' } as const;

describe('judgeRequest', () => {
  it('sets the method by the path', () => {
    assert.deepEqual(judgeRequest({ ...start, origin, path: '/v1/models' }), {
      ...{ origin, path: '/v1/models', method: 'GET', body: undefined },
      url: 'http://localhost:8080/v1/models',
    });
    const completion = judgeRequest({ ...start, origin, path: '/v1/chat/completions', body: '{}' });
    assert.equal(completion?.method, 'POST');
  });

  it('encodes the model that a router is asked about', () => {
    const asked = judgeRequest({ ...start, origin, path: '/props', model: 'a/b&autoload=true#x' });
    assert.equal(asked?.url, `${origin}/props?model=a%2Fb%26autoload%3Dtrue%23x&autoload=false`);
  });

  for (const path of [
    '',
    '/',
    '//evil.example/v1/models',
    '/v1/models/',
    '/v1/models/../../secret',
    '/v1/%2e%2e/models',
    '/v1%2fmodels',
    '/v1\\models',
    '/V1/models',
    '/v1/models?x=1',
    '/v1/models#x',
    '@evil.example/v1/models',
    ':80@evil.example/v1/models',
    '/v1/models\r\nHost: evil.example',
    '/models/load',
    '/api/generate',
    '/api/pull',
    '/slots',
    '/upstream/a/props',
    'constructor',
    '__proto__',
  ]) {
    it(`refuses the path ${JSON.stringify(path)}`, () => {
      assert.equal(judgeRequest({ ...start, origin, path }), undefined);
      assert.equal(judgeRequest({ ...start, origin, path, body: '{}' }), undefined);
    });
  }

  for (const wrong of [
    'localhost:8080',
    'http://localhost:8080/',
    'http://localhost:8080/v1',
    'http://user@localhost:8080',
    'http://user:key@localhost:8080',
    'http://LOCALHOST:8080',
    'http://localhost:80',
    'http://0x7f.1:8080',
    'http://2130706433',
    'http://localhost:8080?x',
    'http://localhost:8080#x',
    'http:localhost:8080',
    'http:\\\\localhost:8080',
    ' http://localhost:8080',
    'http://loc\talhost:8080',
    'file:///etc/passwd',
    'file://',
    'null',
    'ftp://localhost',
    'ws://localhost:8080',
    'javascript:1',
  ]) {
    it(`refuses the origin ${JSON.stringify(wrong)}`, () => {
      assert.equal(isOrigin(wrong), false);
      assert.equal(judgeRequest({ ...start, origin: wrong, path: '/v1/models' }), undefined);
    });
  }

  it('refuses a body where none belongs, and a request that lacks one', () => {
    assert.equal(judgeRequest({ ...start, origin, path: '/v1/models', body: '{}' }), undefined);
    assert.equal(judgeRequest({ ...start, origin, path: '/v1/chat/completions' }), undefined);
    assert.equal(judgeRequest({ ...start, origin, path: '/v1/models', model: 'x' }), undefined);
    assert.equal(judgeRequest({ ...start, origin, path: '/props', model: '\uD800' }), undefined);
  });

  it('reaches only listed paths of exactly the origin that the person is asked about', () => {
    const piece = fc.constantFrom(
      '..',
      '/',
      '//',
      '%2f',
      '%2e',
      '\\',
      '@',
      '#',
      '?',
      ':',
      'v1',
      'evil.example',
      '\n',
      ' ',
    );
    const text = fc.oneof(
      { arbitrary: fc.constantFrom(...Object.keys(allowedPaths)), weight: 4 },
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.oneof(piece, fc.constantFrom('/v1/models', '/props')), { maxLength: 6 }).map((all) => all.join('')),
    );
    const host = fc.oneof(
      { arbitrary: fc.constantFrom('http://localhost:8080', 'https://a.example', 'http://[::1]:1'), weight: 5 },
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.array(fc.oneof(piece, fc.constantFrom('http://', 'localhost')), { maxLength: 6 }).map((all) => all.join('')),
      fc.string(),
    );
    const model = fc.string({ unit: 'binary' });
    const more = fc.oneof(
      fc.constant({}),
      fc.record({ body: text }),
      fc.record({ model }),
      fc.record({ model, body: text }),
    );
    let sent = 0;
    fc.assert(
      fc.property(host, text, more, (given, path, rest: { readonly model?: string; readonly body?: string }) => {
        const judged = judgeRequest({ ...start, origin: given, path, ...rest });
        if (!judged) return;
        sent += 1;
        const url = new URL(judged.url);
        assert.equal(url.origin, given);
        assert.equal(judged.origin, given);
        assert.equal(url.username + url.password + url.hash, '');
        assert.equal(Object.hasOwn(allowedPaths, url.pathname), true);
        assert.equal(judged.method, allowedPaths[url.pathname as keyof typeof allowedPaths]);
        const query = [...url.searchParams];
        assert.deepEqual(
          query,
          rest.model === undefined
            ? []
            : [
                ['model', rest.model],
                ['autoload', 'false'],
              ],
        );
      }),
      { numRuns: 5_000, seed: 1 },
    );
    assert.equal(sent > 100, true, `${sent} were judged to be sent`);
  });
});

describe('parseMessage', () => {
  it('refuses fields of its own choice: headers, a method, a URL', () => {
    const message = { ...start, origin, path: '/v1/models' };
    assert.deepEqual(parseMessage(message), message);
    for (const extra of [{ headers: { host: 'x' } }, { method: 'DELETE' }, { url: 'http://evil.example' }]) {
      assert.equal(parseMessage({ ...message, ...extra }), undefined);
    }
    for (const wrong of [
      undefined,
      null,
      'start',
      [],
      { ...message, version: 2 },
      { ...message, origin: ['http://x'] },
    ]) {
      assert.equal(parseMessage(wrong), undefined);
    }
  });
});

describe('findServers', () => {
  it('looks at the ports that the agent looks at', () => assert.deepEqual(laptopPorts, usualPorts));
});
