import assert from 'node:assert/strict';
import { loadModel, unloadModel, type LoadTask } from '../../src/agent/servers/model/loadModel';
import { probeServer, type FoundServer } from '../../src/agent/servers/probe/serverProbe';
import { Client } from '../../src/sdk';
import { createFetch } from '../../src/sdk/model/http/httpTransport';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';
import { useLlamaServer } from './useLlamaServer';

describe('a real llama-server as a router of several models', function () {
  this.timeout(600_000);
  const llama = useLlamaServer();
  const fetch = createFetch();
  const { signal } = new AbortController();
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await createTemporaryFolder()));
  afterEach(() => folder.dispose());

  const find = async (baseUrl: string): Promise<FoundServer> => {
    const found = await probeServer(baseUrl, { fetch, signal });
    assert.ok(found.ok);
    return found;
  };
  const loaded = async (baseUrl: string): Promise<readonly string[]> =>
    (await find(baseUrl)).models.flatMap(({ id, isLoaded }) => (isLoaded === true ? [id] : []));

  it('loads and unloads models, and makes room for another', async () => {
    const { baseUrl } = await llama.startRouter(['alpha', 'beta'], folder.path);
    const server = await find(baseUrl);
    const { kind, canLoad, models } = server;
    assert.deepEqual([kind, canLoad, models.map(({ id }) => id)], ['llama.cpp', true, ['alpha', 'beta']]);
    assert.deepEqual(await loaded(baseUrl), []);

    const task = (model: string): LoadTask => ({ server, model, fetch, signal });
    assert.deepEqual(await loadModel(task('alpha')), { ok: true });
    assert.deepEqual(await loaded(baseUrl), ['alpha']);
    const [alpha] = (await find(baseUrl)).models;
    assert.deepEqual([alpha?.contextWindow, alpha?.contextSource], [4_096, 'loaded']);

    assert.deepEqual(await loadModel(task('beta')), { ok: true });
    assert.deepEqual(await loaded(baseUrl), ['beta']);
    assert.deepEqual(await unloadModel(task('beta')), { ok: true });
    assert.deepEqual(await loaded(baseUrl), []);
  });

  it('loads the model of a prompt, and answers', async () => {
    const { baseUrl } = await llama.startRouter(['alpha', 'beta'], folder.path);
    for (const model of ['alpha', 'beta']) {
      await using client = new Client({ systemPrompt: 'You are brief.', model, baseUrl, maxTokens: 8 });
      const run = client.run('Hello');
      let next = await run.next();
      while (!next.done) next = await run.next();
      assert.equal(next.value.outcome, 'completed');
      assert.deepEqual(await loaded(baseUrl), [model]);
    }
  });

  it('says that there is no such model', async () => {
    const { baseUrl } = await llama.startRouter(['alpha'], folder.path);
    const server = await find(baseUrl);
    const missing = await loadModel({ server, model: 'missing', fetch, signal });
    assert.ok(!missing.ok && /missing|not found/i.test(missing.error.message), JSON.stringify(missing));
  });
});
