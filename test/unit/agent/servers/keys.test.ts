import assert from 'node:assert/strict';
import { KeyStore, memorySecrets } from '../../../../src/agent/servers/keys';

describe('key store', () => {
  it('finds a key for the origin it was entered for, and for no other', async () => {
    const keys = new KeyStore({ secrets: memorySecrets() });
    assert.deepEqual(await keys.set('http://gpu.lan:8080/v1', ' sk-1 '), { ok: true });
    const urls = [
      'http://gpu.lan:8080',
      'http://GPU.lan:8080/v1/chat/completions',
      'https://gpu.lan:8080/v1',
      'http://gpu.lan:8081/v1',
      'http://gpu.lan.evil.example:8080/v1',
      'http://localhost:8080/v1',
    ];
    assert.deepEqual(await Promise.all(urls.map((url) => keys.get(url))), [
      'sk-1',
      'sk-1',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('forgets a key when an empty one is set', async () => {
    const keys = new KeyStore({ secrets: memorySecrets() });
    await keys.set('http://gpu.lan/v1', 'sk-1');
    assert.deepEqual(await keys.set('http://gpu.lan/v1', '  '), { ok: true });
    assert.equal(await keys.get('http://gpu.lan/v1'), undefined);
  });

  for (const key of ['sk-1\r\nX-Evil: 1', 'sk 1', 'schlüssel', 'sk\u200b1']) {
    it(`refuses ${JSON.stringify(key)}, which would not survive as a header`, async () => {
      const keys = new KeyStore({ secrets: memorySecrets() });
      const error = 'An API key has no spaces, line breaks or characters beyond ASCII.';
      assert.deepEqual(await keys.set('http://gpu.lan/v1', key), { ok: false, error });
      assert.equal(await keys.get('http://gpu.lan/v1'), undefined);
    });
  }

  it('keeps no key without an origin', async () => {
    const keys = new KeyStore({ secrets: memorySecrets() });
    assert.deepEqual(await keys.set('', 'sk-1'), { ok: false, error: '"" is not the address of a server.' });
    assert.equal(await keys.get('not a url'), undefined);
  });
});
