import assert from 'node:assert/strict';
import path from 'node:path';
import { readSettingsFile, resolveConfiguration } from '../../../../src/sdk/configuration/configuration';
import { AgentError } from '../../../../src/sdk/errors';
import { createTemporaryFolder } from '../../../support/files/temporaryFolder';
import { expandProviderName } from '../../../../src/sdk/model/http/baseUrl';

describe('resolveConfiguration', () => {
  const flags = { baseUrl: 'http://flag', model: 'flag' };
  const env = { OPEN_AGENT_BASE_URL: 'http://env', OPEN_AGENT_MODEL: 'env' };
  const settings = { baseUrl: 'http://settings', model: 'settings' };
  const defaults = { baseUrl: 'http://default', model: 'default' };

  it('prefers flags to the environment, the settings and the defaults, field by field', () => {
    const of = (sources: Parameters<typeof resolveConfiguration>[0]): readonly string[] => {
      const { baseUrl, model } = resolveConfiguration(sources);
      return [baseUrl, model];
    };
    assert.deepEqual(of({ flags, env, settings, defaults }), ['http://flag', 'flag']);
    assert.deepEqual(of({ env, settings, defaults }), ['http://env', 'env']);
    assert.deepEqual(of({ settings, defaults }), ['http://settings', 'settings']);
    assert.deepEqual(of({ defaults }), ['http://default', 'default']);
    assert.deepEqual(of({ flags: { model: 'flag' }, env: { OPEN_AGENT_MODEL: ' ' }, settings }), [
      'http://settings',
      'flag',
    ]);
    assert.deepEqual(of({}), ['', '']);
  });

  it('accepts short names in place of any URL', () => {
    assert.equal(resolveConfiguration({ flags: { baseUrl: 'lmstudio' } }).baseUrl, 'http://localhost:1234/v1');
    assert.equal(resolveConfiguration({ env: { OPEN_AGENT_BASE_URL: 'vllm' } }).baseUrl, 'http://localhost:8000/v1');
    assert.equal(resolveConfiguration({ settings: { baseUrl: 'Ollama' } }).baseUrl, 'http://localhost:11434/v1');
    assert.equal(expandProviderName('llama.cpp'), 'http://localhost:8080/v1');
    assert.equal(expandProviderName(' LM Studio '), 'http://localhost:1234/v1');
    for (const url of ['localhost:8080', 'toString', 'http://ollama']) assert.equal(expandProviderName(url), url);
  });

  it('uses a key only for the server of the same source', () => {
    const key = (sources: Parameters<typeof resolveConfiguration>[0]) => resolveConfiguration(sources).key;
    const withKey = { ...settings, apiKey: 'sk' };
    assert.deepEqual(key({ settings: withKey }), { baseUrl: 'http://settings', value: 'sk' });
    assert.equal(key({ flags, settings: withKey }), undefined);
    assert.equal(key({ flags, settings: { apiKey: 'sk' } }), undefined);
    assert.deepEqual(key({ flags, env: { OPEN_AGENT_API_KEY: 'sk' } }), { baseUrl: 'http://flag', value: 'sk' });
    assert.deepEqual(
      key({ flags: { baseUrl: 'http://settings/other' }, env: { OPEN_AGENT_API_KEY: '' }, settings: withKey }),
      {
        baseUrl: 'http://settings',
        value: 'sk',
      },
    );
  });
});

describe('readSettingsFile', () => {
  it('reads a file, accepts a missing one, and names an unusable one', async () => {
    const folder = await createTemporaryFolder({
      'good.json': '{"baseUrl": "ollama", "model": "qwen", "ca": "/ca.pem", "theme": "dark"}',
      'torn.json': '{"baseUrl": ',
      'wrong.json': '{"model": 3}',
    });
    try {
      const read = (name: string) => readSettingsFile(path.join(folder.path, name));
      assert.deepEqual(await read('good.json'), { baseUrl: 'ollama', model: 'qwen', apiKey: undefined, ca: '/ca.pem' });
      assert.deepEqual(await read('none.json'), {});
      for (const [name, words] of [
        ['torn.json', /torn\.json cannot be used/],
        ['wrong.json', /wrong\.json cannot be used: model: /],
      ] as const) {
        await assert.rejects(
          read(name),
          (error) => error instanceof AgentError && error.code === 'invalid_options' && words.test(error.message),
        );
      }
    } finally {
      await folder.dispose();
    }
  });
});
