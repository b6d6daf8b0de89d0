import assert from 'node:assert/strict';
import type { LookupFunction } from 'node:net';
import { isLoopbackHost, loopbackLookup } from '../../../../../src/sdk/model/http/loopback';

describe('isLoopbackHost', () => {
  for (const url of [
    'http://localhost:8080',
    'http://LocalHost.',
    'http://gpu.localhost',
    'http://127.0.0.1',
    'http://127.8.9.1:1',
    'http://2130706433',
    'http://[::1]:1',
    'http://[::ffff:127.0.0.1]',
  ]) {
    it(`is ${url}`, () => assert.ok(isLoopbackHost(new URL(url).hostname)));
  }

  for (const url of [
    'http://localhost.example',
    'http://notlocalhost',
    'http://128.0.0.1',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
    'http://[::2]',
    'http://[::ffff:8.8.8.8]',
  ]) {
    it(`is not ${url}`, () => assert.ok(!isLoopbackHost(new URL(url).hostname)));
  }
});

describe('loopbackLookup', () => {
  /** A resolver that knows localhost by one family alone, and is asked for everything else. */
  const asked: string[] = [];
  const lookup = loopbackLookup((hostname, _options, callback) => {
    asked.push(hostname);
    callback(null, [{ address: '10.0.0.1', family: 4 }]);
  });
  const found = (hostname: string, options: Parameters<LookupFunction>[1]): unknown => {
    let result: unknown;
    lookup(
      hostname,
      options,
      (_error, address, family) => (result = family === undefined ? address : [address, family]),
    );
    return result;
  };

  it('resolves localhost to both addresses without a resolver', () => {
    const both = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    assert.deepEqual(found('localhost', { all: true }), both);
    assert.deepEqual(found('api.LOCALHOST', { all: true }), both);
    assert.deepEqual(found('localhost', {}), ['127.0.0.1', 4]);
    assert.deepEqual(found('localhost', { family: 6 }), ['::1', 6]);
    assert.deepEqual(asked, []);
  });

  it('asks the resolver for every other name', () => {
    assert.deepEqual(found('localhost.example', { all: true }), [{ address: '10.0.0.1', family: 4 }]);
    assert.deepEqual(asked, ['localhost.example']);
  });
});
