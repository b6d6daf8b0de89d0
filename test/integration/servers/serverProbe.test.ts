import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chooseModel } from '../../../src/agent/servers/model/chooseModel';
import { probeServer, type FoundServer } from '../../../src/agent/servers/probe/serverProbe';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { usePathServers, type PathAnswer } from '../../support/servers/pathServers';
import { fixturePath } from '../../support/files/fixturePath';

const fixtures = fixturePath('recordings', 'llama-server');
const recorded = (file: string): unknown => JSON.parse(readFileSync(path.join(fixtures, file), 'utf8'));

const options = () => ({ fetch: createFetch(), signal: new AbortController().signal });

describe('server probe', () => {
  const { serve } = usePathServers();

  it('recognises llama.cpp, its context window per slot and its number of slots', async () => {
    const { baseUrl, paths } = await serve({ '/v1/models': recorded('models.json'), '/props': recorded('props.json') });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'llama.cpp',
      name: 'llama.cpp',
      models: [
        {
          id: 'qwen-tiny.gguf',
          contextWindow: 2048,
          contextSource: 'loaded',
          isLoaded: true,
          hasVision: false,
          hasTools: true,
        },
      ],
      slots: 1,
    });
    assert.deepEqual(paths, ['/v1/models', '/props']);
  });

  it('asks a llama.cpp router only about its loaded models, and loads none', async () => {
    const entry = (id: string, value: string) => ({
      id,
      owned_by: 'llamacpp',
      status: { value },
      meta: { n_ctx: 0 },
    });
    const { baseUrl, paths } = await serve({
      '/v1/models': {
        object: 'list',
        data: [
          entry('org/a:Q4', 'loaded'),
          { ...entry('b', 'unloaded'), architecture: { input_modalities: ['text', 'image'] } },
        ],
      },
      '/props': { default_generation_settings: { n_ctx: 0 }, role: 'router' },
      '/props?model=org%2Fa%3AQ4&autoload=false': { default_generation_settings: { n_ctx: 16384 }, total_slots: 4 },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'llama.cpp',
      name: 'llama.cpp',
      models: [
        { id: 'org/a:Q4', contextWindow: 16384, contextSource: 'loaded', isLoaded: true },
        { id: 'b', isLoaded: false, hasVision: true },
      ],
      slots: 4,
      canLoad: true,
    });
    assert.deepEqual(paths, ['/v1/models', '/props', '/props?model=org%2Fa%3AQ4&autoload=false']);
  });

  it('recognises Ollama, and the context window of its loaded model', async () => {
    const { baseUrl } = await serve({
      '/v1/models': {
        object: 'list',
        data: [
          { id: 'qwen3:8b', object: 'model', owned_by: 'library' },
          { id: 'gemma3:latest', object: 'model', owned_by: 'library' },
        ],
      },
      '/api/version': { version: '0.13.0' },
      '/api/ps': { models: [{ name: 'gemma3:latest', model: 'gemma3:latest', context_length: 4096 }] },
      '/api/show': { capabilities: ['completion', 'vision'] },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'ollama',
      name: 'Ollama',
      models: [
        { id: 'qwen3:8b', isLoaded: false, hasVision: true, hasTools: false },
        {
          id: 'gemma3:latest',
          contextWindow: 4096,
          contextSource: 'loaded',
          isLoaded: true,
          hasVision: true,
          hasTools: false,
        },
      ],
      canLoad: true,
    });
  });

  it('recognises llama-swap, although it answers at an address of Ollama, and asks only about models in memory', async () => {
    const entry = (id: string, value: string) => ({ id, object: 'model', owned_by: 'llama-swap', status: { value } });
    const { baseUrl, paths } = await serve({
      '/v1/models': {
        object: 'list',
        data: [
          entry('coder', 'loaded'),
          entry('next', 'loaded'),
          { ...entry('small', 'unloaded'), context_length: 8192 },
        ],
      },
      '/api/version': { version: 'v240', commit: 'abc', build_date: '' },
      '/running': {
        running: [
          { model: 'coder', state: 'ready', cmd: 'llama-server', proxy: 'http://localhost:5800', ttl: 0 },
          { model: 'next', state: 'starting', cmd: 'llama-server', proxy: 'http://localhost:5801', ttl: 0 },
        ],
      },
      '/upstream/coder/props': { default_generation_settings: { n_ctx: 16384 }, total_slots: 2 },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'llama-swap',
      name: 'llama-swap',
      models: [
        { id: 'coder', contextWindow: 16384, contextSource: 'loaded', isLoaded: true },
        { id: 'next', isLoaded: false },
        { id: 'small', isLoaded: false, contextWindow: 8192, contextSource: 'loaded' },
      ],
      slots: 2,
      canLoad: true,
    });
    assert.deepEqual(paths, ['/v1/models', '/running', '/upstream/coder/props']);
  });

  const created = 1677610602;
  const listed = { object: 'list', data: [{ id: 'coder', object: 'model', created, owned_by: 'openai' }] };
  it('recognises LiteLLM, and counts the servers behind it', async () => {
    const deployment = (params: object, info: object) => ({
      model_name: 'coder',
      litellm_params: { model: 'openai/m', api_base: 'http://127.0.0.1:8081/v1', ...params },
      model_info: { id: '1', ...info },
    });
    const { baseUrl } = await serve({
      '/v1/models': listed,
      '/model/info': {
        data: [
          deployment({}, { max_input_tokens: 32768, supports_vision: null }),
          deployment({ max_parallel_requests: 3 }, { max_input_tokens: 16384, supports_vision: false }),
          { ...deployment({}, {}), model_name: 'other' },
        ],
      },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'litellm',
      name: 'LiteLLM',
      models: [{ id: 'coder', contextWindow: 16384, contextSource: 'advertised' }],
      slots: 4,
    });
  });

  it('does not take a server for LiteLLM by its list alone', async () => {
    const { baseUrl } = await serve({ '/v1/models': listed });
    const probe = (await probeServer(baseUrl, options())) as FoundServer;
    assert.deepEqual([probe.kind, probe.models, probe.slots], ['unknown', [{ id: 'coder' }], undefined]);
  });

  const shows: readonly (readonly [string, object, object])[] = [
    [
      'the context window from its Modelfile',
      {
        parameters: 'stop                           "<|im_end|>"\nnum_ctx                        16384',
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 },
      },
      { contextWindow: 16384, contextSource: 'loaded' },
    ],
    [
      'the maximum of the model',
      { model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 } },
      { contextWindow: 40960, contextSource: 'advertised' },
    ],
    ['nothing', { model_info: null }, {}],
  ];
  for (const [what, shown, expected] of shows) {
    it(`asks Ollama about an unloaded model, and reads ${what}`, async () => {
      const { baseUrl } = await serve({
        '/v1/models': { object: 'list', data: [{ id: 'qwen3:8b', object: 'model', owned_by: 'library' }] },
        '/api/version': { version: '0.13.0' },
        '/api/ps': { models: [] },
        '/api/show': shown,
      });
      const probe = (await probeServer(baseUrl, options())) as FoundServer;
      assert.deepEqual(probe.models, [{ id: 'qwen3:8b', isLoaded: false, ...expected }]);
    });
  }

  it('reads the null list of an empty Ollama as no models', async () => {
    const { baseUrl } = await serve({
      '/v1/models': { object: 'list', data: null },
      '/api/version': { version: '0.13.0' },
      '/api/ps': { models: [] },
    });
    const probe = (await probeServer(baseUrl, options())) as FoundServer;
    assert.deepEqual(probe, { ok: true, baseUrl, kind: 'ollama', name: 'Ollama', models: [], canLoad: true });
    assert.deepEqual(chooseModel(probe, ''), {
      ok: false,
      error: {
        code: 'not_found',
        message: `Ollama at ${baseUrl} has no model. Get one with "ollama pull qwen2.5-coder:7b", for example.`,
      },
    });
  });

  it('recognises LM Studio and its loaded context windows, and leaves out embedding models', async () => {
    const { baseUrl } = await serve({
      '/v1/models': { object: 'list', data: [{ id: 'a', object: 'model', owned_by: 'organization_owner' }] },
      '/api/v0/models': {
        object: 'list',
        data: [
          { id: 'a', type: 'llm', state: 'not-loaded', max_context_length: 32768 },
          {
            id: 'b',
            type: 'vlm',
            state: 'loaded',
            max_context_length: 131072,
            loaded_context_length: 8192,
            capabilities: ['tool_use'],
          },
          { id: 'nomic', type: 'embeddings', state: 'not-loaded', max_context_length: 2048 },
        ],
      },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'lmstudio',
      name: 'LM Studio',
      models: [
        { id: 'a', contextWindow: 32768, contextSource: 'advertised', isLoaded: false, hasVision: false },
        {
          id: 'b',
          contextWindow: 8192,
          contextSource: 'loaded',
          isLoaded: true,
          hasVision: true,
          hasTools: true,
        },
      ],
    });
  });

  it('asks a newer LM Studio for its instances, and reports that it can load models', async () => {
    const model = (key: string, more: object) => ({
      type: 'llm',
      key,
      loaded_instances: [],
      max_context_length: 131072,
      capabilities: { vision: false, trained_for_tool_use: true },
      ...more,
    });
    const { baseUrl } = await serve({
      '/v1/models': { object: 'list', data: [{ id: 'a', object: 'model', owned_by: 'organization_owner' }] },
      '/api/v1/models': {
        models: [
          model('google/gemma-3-4b', { capabilities: { vision: true, trained_for_tool_use: false } }),
          model('qwen/qwen3.5-9b', {
            loaded_instances: [
              { id: 'qwen/qwen3.5-9b:2', config: { context_length: 16384 } },
              { id: 'qwen/qwen3.5-9b', config: { context_length: 4096, flash_attention: true } },
            ],
          }),
          model('nomic', { type: 'embedding' }),
        ],
      },
      '/api/v0/models': { error: 'Unexpected endpoint or method.' },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'lmstudio',
      name: 'LM Studio',
      models: [
        {
          id: 'google/gemma-3-4b',
          contextWindow: 131072,
          contextSource: 'advertised',
          isLoaded: false,
          hasVision: true,
          hasTools: false,
        },
        {
          id: 'qwen/qwen3.5-9b',
          contextWindow: 4096,
          contextSource: 'loaded',
          isLoaded: true,
          hasVision: false,
          hasTools: true,
        },
      ],
      canLoad: true,
    });
  });

  it('recognises SGLang, which lists its models like vLLM', async () => {
    const { baseUrl } = await serve({
      '/v1/models': { object: 'list', data: [{ id: 'qwen', owned_by: 'sglang', max_model_len: 32768 }] },
    });
    const probe = (await probeServer(baseUrl, options())) as FoundServer;
    assert.deepEqual([probe.name, probe.models[0]?.contextWindow], ['SGLang', 32768]);
  });

  it('recognises vLLM by its list alone', async () => {
    const { baseUrl, paths } = await serve({
      '/v1/models': { object: 'list', data: [{ id: 'Qwen/Qwen3-8B', owned_by: 'vllm', max_model_len: 40960 }] },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'vllm',
      name: 'vLLM',
      models: [{ id: 'Qwen/Qwen3-8B', contextWindow: 40960, contextSource: 'loaded', isLoaded: true }],
    });
    assert.deepEqual(paths, ['/v1/models']);
  });

  it('recognises KoboldCpp although it also answers like Ollama', async () => {
    const { baseUrl } = await serve({
      '/v1/models': { object: 'list', data: [{ id: 'koboldcpp/qwen', object: 'model', owned_by: 'koboldcpp' }] },
      '/api/version': { version: '0.7.0' },
      '/api/extra/version': { result: 'KoboldCpp', version: '1.100' },
      '/api/extra/true_max_context_length': { value: 12288 },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'koboldcpp',
      name: 'KoboldCpp',
      models: [{ id: 'koboldcpp/qwen', contextWindow: 12288, contextSource: 'loaded', isLoaded: true }],
    });
  });

  it('accepts any other server, with its advertised context windows', async () => {
    const { baseUrl } = await serve({
      '/v1/models': { data: [{ id: 'a' }, { id: 'b', context_length: 65536 }, { name: 'no id' }, null] },
      // LM Studio and others answer unknown paths with 200 and an error.
      '/props': { error: 'Unexpected endpoint' },
      '/api/version': { error: 'Unexpected endpoint' },
    });
    assert.deepEqual(await probeServer(baseUrl, options()), {
      ok: true,
      baseUrl,
      kind: 'unknown',
      name: 'OpenAI-compatible',
      models: [{ id: 'a' }, { id: 'b', contextWindow: 65536, contextSource: 'advertised' }],
    });
  });

  it('reads window and load state out of the list of a server of an unknown kind', async () => {
    const { baseUrl } = await serve({
      '/v1/models': {
        data: [
          { id: 'a', status: { value: 'unloaded' }, meta: { n_ctx: 4_096 } },
          { id: 'b', status: { value: 'loaded' }, meta: { n_ctx: 12_288 }, context_length: 131_072 },
          { id: 'c', status: 'LOADED', context_length: 8_192 },
          { id: 'd', status: { value: 'loading' } },
          { id: 'e', meta: { n_ctx: 6_144 } },
        ],
      },
    });
    const probe = await probeServer(baseUrl, options());
    assert.ok(probe.ok);
    assert.equal(probe.kind, 'unknown');
    assert.deepEqual(probe.models, [
      { id: 'a', contextWindow: 4_096, contextSource: 'advertised', isLoaded: false },
      { id: 'b', contextWindow: 12_288, contextSource: 'loaded', isLoaded: true },
      { id: 'c', contextWindow: 8_192, contextSource: 'advertised', isLoaded: true },
      { id: 'd', isLoaded: false },
      { id: 'e', contextWindow: 6_144, contextSource: 'loaded' },
    ]);
    // Without a model in the settings, the loaded one is used.
    assert.deepEqual(chooseModel(probe, ''), { ok: true, model: 'b' });
  });

  it('concludes nothing from words and numbers that mean something else', async () => {
    const { baseUrl } = await serve({
      '/v1/models': {
        data: [
          { id: 'a', status: 'active', meta: { n_ctx: 0 } },
          { id: 'b', status: { value: 7 }, meta: 'none' },
          { id: 'c', status: 'constructor', meta: { n_ctx: '8192' } },
          { id: 'd', status: null, meta: { n_ctx_train: 32_768 } },
        ],
      },
    });
    const probe = await probeServer(baseUrl, options());
    assert.ok(probe.ok);
    assert.deepEqual(probe.models, [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]);
  });

  it('accepts a base URL without /v1 and sends the key with every question', async () => {
    const { port, baseUrl, keys } = await serve({
      '/v1/models': recorded('models.json'),
      '/props': recorded('props.json'),
    });
    const probe = await probeServer(`127.0.0.1:${port}/`, { ...options(), apiKey: 'sk-1' });
    assert.equal(probe.baseUrl, baseUrl);
    assert.deepEqual(keys, ['Bearer sk-1', 'Bearer sk-1']);
  });

  it('sends no header without a key', async () => {
    const { baseUrl, keys } = await serve({ '/v1/models': { data: [{ id: 'a', owned_by: 'vllm' }] } });
    await probeServer(baseUrl, { ...options(), apiKey: '' });
    assert.deepEqual(keys, [undefined]);
  });

  it('reports a llama.cpp that lists its models freely but requires a key for the rest', async () => {
    const { baseUrl } = await serve({
      '/v1/models': recorded('models.json'),
      '/props': () => ({ status: 401, body: { error: { message: 'Invalid API Key' } } }),
    });
    const probe = await probeServer(baseUrl, options());
    assert.deepEqual(probe.ok ? undefined : [probe.error.code, probe.error.status], ['unauthorized', 401]);
  });

  const failures: readonly [string, Readonly<Record<string, PathAnswer>>, string, RegExp][] = [
    ['a 401', { '/v1/models': () => ({ status: 401, body: { error: 'key?' } }) }, 'unauthorized', /API key/],
    ['a 404', {}, 'not_found', /\/v1/],
    ['a 500', { '/v1/models': () => ({ status: 500, body: { error: 'boom' } }) }, 'server_error', /boom/],
    [
      'a server that is loading',
      { '/v1/models': () => ({ status: 503, body: { error: { message: 'Loading model' } } }) },
      'model_loading',
      /Loading model/,
    ],
    ['a web page', { '/v1/models': '<!doctype html><title>Router</title>' }, 'not_openai_compatible', /web page/],
    ['a plain text', { '/v1/models': 'hello' }, 'not_openai_compatible', /"hello"/],
    ['JSON of another shape', { '/v1/models': { users: [] } }, 'not_openai_compatible', /not with a list of models/],
    ['silence', { '/v1/models': 'silence' }, 'silent', /within 0\.05 seconds/],
  ];
  for (const [name, answers, code, words] of failures) {
    it(`reports ${name} with the URL`, async () => {
      const { baseUrl } = await serve(answers);
      const probe = await probeServer(baseUrl, { ...options(), ...(code === 'silent' ? { timeoutMs: 50 } : {}) });
      assert.ok(!probe.ok);
      assert.equal(probe.error.code, code);
      assert.match(probe.error.message, words);
      assert.ok(probe.error.message.includes(`${baseUrl}/models`), probe.error.message);
    });
  }

  it('reports a closed port and an invalid URL', async () => {
    const { baseUrl, close } = await serve({});
    await close();
    const refused = await probeServer(baseUrl, options());
    assert.deepEqual(refused.ok ? undefined : refused.error.code, 'connection');
    const senseless = await probeServer('ftp://gpu', options());
    assert.deepEqual(senseless.ok ? undefined : [senseless.baseUrl, senseless.error.code], [
      'ftp://gpu',
      'invalid_options',
    ]);
  });

  it('rejects when it is stopped', async () => {
    const controller = new AbortController();
    const { baseUrl } = await serve({
      '/v1/models': () => {
        controller.abort(new Error('enough'));
        return { status: 200, body: { data: [] } };
      },
    });
    await assert.rejects(probeServer(baseUrl, { ...options(), signal: controller.signal }), /enough/);
  });
});
