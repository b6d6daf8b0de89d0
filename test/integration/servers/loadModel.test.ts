import assert from 'node:assert/strict';
import { loadModel, unloadModel, type LoadTask } from '../../../src/agent/servers/model/loadModel';
import type { ServerKind } from '../../../src/agent/servers/probe/serverIdentity';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { JsonServer, type JsonHandler } from '../../support/servers/jsonServer';

function taskFor(kind: ServerKind, baseUrl: string, more: Partial<LoadTask> = {}): LoadTask {
  return {
    server: { kind, name: kind, baseUrl, canLoad: true },
    model: 'org/m:Q4',
    fetch: createFetch(),
    signal: new AbortController().signal,
    wait: () => Promise.resolve(),
    ...more,
  };
}

/** A llama.cpp router whose model has the next of these states at each query. */
function router(states: readonly object[], started: object = { success: true }, status = 200): JsonHandler {
  let looks = 0;
  return ({ what }) => {
    if (what !== 'GET /v1/models') return { status: what === 'POST /models/load' ? status : 200, body: started };
    const state = states[Math.min(looks++, states.length - 1)];
    return { body: { data: [{ id: 'org/m:Q4', status: state }] } };
  };
}

describe('loading a model', () => {
  it('asks a llama.cpp router to load it, and waits until the list shows it', async () => {
    await using server = await JsonServer.start(
      router([{ value: 'loading' }, { value: 'loading' }, { value: 'loaded' }]),
    );
    assert.deepEqual(await loadModel(taskFor('llama.cpp', server.baseUrl)), { ok: true });
    assert.deepEqual(server.requests, [
      { what: 'POST /models/load', body: { model: 'org/m:Q4' } },
      ...Array.from({ length: 3 }, () => ({ what: 'GET /v1/models', body: undefined })),
    ]);
  });

  it('waits for a model that is already loading', async () => {
    const refusal = { error: { code: 400, message: 'model is already running', type: 'invalid_request_error' } };
    await using server = await JsonServer.start(router([{ value: 'loading' }, { value: 'loaded' }], refusal, 400));
    assert.deepEqual(await loadModel(taskFor('llama.cpp', server.baseUrl)), { ok: true });
  });

  it('asks a router again that is still ending the model that makes room', async () => {
    const refusal = { error: { code: 500, message: 'model limit reached, try again later', type: 'server_error' } };
    const playing = router([{ value: 'loaded' }]);
    let refusals = 3;
    await using server = await JsonServer.start((request) =>
      request.what === 'POST /models/load' && refusals-- > 0 ? { status: 500, body: refusal } : playing(request),
    );
    assert.deepEqual(await loadModel(taskFor('llama.cpp', server.baseUrl)), { ok: true });
    refusals = Number.MAX_SAFE_INTEGER;
    const outcome = await loadModel(taskFor('llama.cpp', server.baseUrl));
    assert.match(outcome.ok ? '' : outcome.error.message, /model limit reached/);
  });

  it('reports that the server process died', async () => {
    await using server = await JsonServer.start(
      router([{ value: 'loading' }, { value: 'unloaded', failed: true, exit_code: 1 }]),
    );
    const outcome = await loadModel(taskFor('llama.cpp', server.baseUrl));
    assert.deepEqual(outcome, {
      ok: false,
      error: {
        code: 'server_error',
        message: "llama.cpp could not load org/m:Q4 (its process ended with code 1). See the server's log.",
      },
    });
  });

  it('unloads from a router when the person stops waiting', async () => {
    const controller = new AbortController();
    await using server = await JsonServer.start(router([{ value: 'loading' }]));
    const wait = (): Promise<void> => {
      controller.abort();
      return Promise.resolve();
    };
    const outcome = await loadModel(taskFor('llama.cpp', server.baseUrl, { signal: controller.signal, wait }));
    assert.deepEqual(outcome.ok ? undefined : outcome.error.code, 'interrupted');
    assert.deepEqual(server.requests.at(-1), { what: 'POST /models/unload', body: { model: 'org/m:Q4' } });
  });

  it('unloads from a router, and waits until the list shows it', async () => {
    await using server = await JsonServer.start(router([{ value: 'loaded' }, { value: 'unloaded' }]));
    assert.deepEqual(await unloadModel(taskFor('llama.cpp', server.baseUrl)), { ok: true });
    assert.deepEqual(
      server.requests.map(({ what }) => what),
      ['POST /models/unload', 'GET /v1/models', 'GET /v1/models'],
    );
  });

  it('unloads from a router, even if it is already unloaded', async () => {
    const refusal = { error: { code: 400, message: 'model is not running' } };
    await using server = await JsonServer.start(() => ({ status: 400, body: refusal }));
    assert.deepEqual(await unloadModel(taskFor('llama.cpp', server.baseUrl)), { ok: true });
    assert.deepEqual(server.requests, [{ what: 'POST /models/unload', body: { model: 'org/m:Q4' } }]);
  });

  it('loads and unloads on Ollama with requests without a prompt', async () => {
    await using server = await JsonServer.start(() => ({ body: { model: 'org/m:Q4', response: '', done: true } }));
    const task = taskFor('ollama', server.baseUrl);
    assert.deepEqual([await loadModel(task), await unloadModel(task)], [{ ok: true }, { ok: true }]);
    assert.deepEqual(server.requests, [
      { what: 'POST /api/generate', body: { model: 'org/m:Q4', stream: false } },
      { what: 'POST /api/generate', body: { model: 'org/m:Q4', keep_alive: 0, stream: false } },
    ]);
  });

  it("repeats the server's message when it fails", async () => {
    const said = 'model requires more system memory (9.1 GiB) than is available (4.2 GiB)';
    await using server = await JsonServer.start(() => ({ status: 500, body: { error: said } }));
    const outcome = await loadModel(taskFor('ollama', server.baseUrl));
    assert.ok(!outcome.ok && outcome.error.message.includes(said));
  });

  it('unloads every instance on LM Studio', async () => {
    const models = [
      { key: 'other', type: 'llm', loaded_instances: [{ id: 'other', config: {} }] },
      { key: 'org/m:Q4', type: 'llm', loaded_instances: [{ id: 'org/m:Q4' }, { id: 'org/m:Q4:2' }] },
    ];
    await using server = await JsonServer.start(({ what }) => ({ body: what.startsWith('GET') ? { models } : {} }));
    const task = taskFor('lmstudio', server.baseUrl);
    assert.deepEqual([await loadModel(task), await unloadModel(task)], [{ ok: true }, { ok: true }]);
    assert.deepEqual(server.requests, [
      { what: 'POST /api/v1/models/load', body: { model: 'org/m:Q4' } },
      { what: 'GET /api/v1/models', body: undefined },
      { what: 'POST /api/v1/models/unload', body: { instance_id: 'org/m:Q4' } },
      { what: 'POST /api/v1/models/unload', body: { instance_id: 'org/m:Q4:2' } },
    ]);
  });

  it('reports an error that LM Studio sends with status 200', async () => {
    await using server = await JsonServer.start(() => ({ body: { error: 'Unexpected endpoint or method.' } }));
    const outcome = await loadModel(taskFor('lmstudio', server.baseUrl));
    assert.ok(!outcome.ok && /It says: Unexpected endpoint/.test(outcome.error.message));
  });

  it('ends at once when the person stops waiting', async () => {
    const controller = new AbortController();
    await using server = await JsonServer.start(() => {
      controller.abort();
      return 'silence';
    });
    const outcome = await loadModel(taskFor('ollama', server.baseUrl, { signal: controller.signal }));
    assert.deepEqual(outcome.ok ? undefined : outcome.error.code, 'interrupted');
  });

  it('loads and unloads a model of llama-swap, whose answer to unloading is not JSON', async () => {
    const running: string[] = [];
    await using server = await JsonServer.start(({ what }) => {
      if (what === 'GET /upstream/org%2Fm%3AQ4/v1/models') running.push('org/m:Q4');
      if (what === 'POST /api/models/unload/org%2Fm%3AQ4') running.pop();
      if (what.startsWith('POST')) return { body: undefined };
      return { body: what === 'GET /running' ? { running: running.map((model) => ({ model })) } : { data: [] } };
    });
    const task = taskFor('llama-swap', server.baseUrl);
    assert.deepEqual(await loadModel(task), { ok: true });
    assert.deepEqual(running, ['org/m:Q4']);
    assert.deepEqual(await unloadModel(task), { ok: true });
    assert.deepEqual(running, []);
  });

  it('says that llama-swap did not unload a model', async () => {
    await using server = await JsonServer.start(({ what }) =>
      what === 'GET /running'
        ? { body: { running: [{ model: 'org/m:Q4' }] } }
        : { status: 404, body: { src: 'llama-swap', error: { message: 'model not found' } } },
    );
    const outcome = await unloadModel(taskFor('llama-swap', server.baseUrl));
    assert.ok(!outcome.ok && outcome.error.message.includes('model not found'));
  });

  it('sends nothing to a server that cannot load models', async () => {
    await using server = await JsonServer.start(() => ({ body: {} }));
    const task = taskFor('vllm', server.baseUrl);
    const older = { ...task, server: { ...task.server, kind: 'lmstudio', canLoad: undefined } } as const;
    for (const outcome of [await loadModel(task), await unloadModel(task), await loadModel(older)]) {
      assert.ok(!outcome.ok && /has no way to load or unload models/.test(outcome.error.message));
    }
    assert.deepEqual(server.requests, []);
  });
});
