import assert from 'node:assert/strict';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { probeServer, type FoundServer } from '../../../src/agent/servers/probe/serverProbe';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { LocalModels, type ForeignRequest } from '../../../src/host/languageModels/localModels';
import { offeredModels, type OfferSettings } from '../../../src/host/languageModels/offeredModel';
import type { AnswerPart } from '../../../src/host/languageModels/answerParts';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createGate, ModelServer } from '../../support/servers/modelServer';

const settings: OfferSettings = {
  temperature: null,
  maxTokens: null,
  contextWindow: null,
  modelOptions: {},
  profiles: [],
};
const hi: ForeignRequest = {
  systemPrompt: '',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  requiresTool: false,
};
const fetch = createFetch();
const { signal } = new AbortController();

async function found({ baseUrl }: ModelServer, apiKey?: string): Promise<FoundServer> {
  const probe = await probeServer(baseUrl, { fetch, signal, apiKey });
  assert.ok(probe.ok);
  return probe;
}

async function modelsOf(server: ModelServer, apiKey?: string) {
  let current = settings;
  const known = await found(server, apiKey);
  const keys = new KeyStore({ secrets: memorySecrets() });
  if (apiKey !== undefined) await keys.set(server.baseUrl, apiKey);
  const slots = new SlotQueue();
  const models = new LocalModels({
    settings: () => current,
    server: {
      ensure: () => Promise.resolve(),
      wake: () => Promise.resolve(undefined),
      resting: undefined,
      baseUrl: known.baseUrl,
      serverAt: (baseUrl) => (baseUrl === known.baseUrl ? known : undefined),
    },
    keys,
    slots,
    fetch,
    onInternalError: (error) => assert.fail(String(error)),
  });
  return { models, slots, change: (changed: Partial<OfferSettings>) => (current = { ...settings, ...changed }) };
}

async function collect(parts: AsyncIterable<AnswerPart>): Promise<readonly AnswerPart[]> {
  const collected: AnswerPart[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

describe('local models for other extensions', () => {
  it('use a key that no extension sees', async () => {
    await using server = await ModelServer.start({ apiKey: 'secret-key' });
    const { models } = await modelsOf(server, 'secret-key');
    assert.equal(JSON.stringify(await models.list()).includes('secret-key'), false);
    server.script({ text: 'Hello.' });
    assert.deepEqual(await collect(models.answer('server/test-model', hi, signal)), [{ type: 'text', text: 'Hello.' }]);
    assert.equal(server.completions[0]?.headers.authorization, 'Bearer secret-key');
  });

  it('wait for their turn, after prompts from the panel', async () => {
    await using server = await ModelServer.start();
    const { models, slots } = await modelsOf(server);
    const panel = await slots.acquire(server.baseUrl, signal);
    const order: string[] = [];
    server.script({ text: 'Hello.' });
    const answer = collect(models.answer('server/test-model', hi, signal)).then(() => order.push('extension'));
    const next = slots.acquire(server.baseUrl, signal).then((slot) => {
      order.push('panel');
      slot?.release();
    });
    panel?.release();
    await Promise.all([answer, next]);
    assert.deepEqual(order, ['panel', 'extension']);
  });

  it('yield no call from a cut-off answer', async () => {
    await using server = await ModelServer.start();
    const { models } = await modelsOf(server);
    const tools = [{ name: 'do', description: '', inputSchema: { type: 'object', properties: {} } }];
    server.script({ text: 'So', toolCalls: [{ name: 'do', arguments: {} }], cut: true });
    const parts: AnswerPart[] = [];
    await assert.rejects(
      async () => {
        for await (const part of models.answer('server/test-model', { ...hi, tools }, signal)) parts.push(part);
      },
      { code: 'stream_broken' },
    );
    assert.deepEqual(parts, [{ type: 'text', text: 'So' }]);
  });

  it('hide their thoughts', async () => {
    await using server = await ModelServer.start();
    const { models } = await modelsOf(server);
    server.script({ text: ['<think>Hm.</think>', 'Yes.'] });
    assert.deepEqual(await collect(models.answer('server/test-model', hi, signal)), [{ type: 'text', text: 'Yes.' }]);
  });

  it('stop, and free their slot', async () => {
    await using server = await ModelServer.start();
    const { models, slots } = await modelsOf(server);
    const gate = createGate();
    server.script({ text: ['One', gate, 'two'] });
    const stop = new AbortController();
    const answer = collect(models.answer('server/test-model', hi, stop.signal));
    await gate.reached;
    stop.abort();
    await assert.rejects(answer, { code: 'interrupted' });
    assert.equal(slots.ahead(server.baseUrl), 0);
    assert.equal(await server.completions[0]?.closed, 'broken');
    gate.open();
  });

  it('report a change of the list, and only a change', async () => {
    await using server = await ModelServer.start();
    const { models, change } = await modelsOf(server);
    let changes = 0;
    models.onChange(() => (changes += 1));
    models.reconsider();
    models.reconsider();
    assert.equal(changes, 1);
    change({ profiles: [{ id: 'far', baseUrl: 'http://far.example/v1', model: 'm' }] });
    models.reconsider();
    assert.equal(changes, 2);
  });

  it('report a model that is gone', async () => {
    await using server = await ModelServer.start();
    const { models } = await modelsOf(server);
    const message = 'Open Agent has no model "server/gone" now. Select a model again.';
    await assert.rejects(collect(models.answer('server/gone', hi, signal)), { code: 'not_found', message });
  });

  it('have their configured or known sizes, with room for the answer', async () => {
    await using server = await ModelServer.start({ models: ['small', 'large'], contextWindow: 8192 });
    const known = await found(server);
    const offered = offeredModels(
      {
        ...settings,
        maxTokens: 1000,
        modelOptions: { large: { contextWindow: 32_768 } },
        profiles: [{ id: 'far', baseUrl: 'http://far.example/v1', model: 'unknown', topP: 0.5 }],
      },
      known,
      () => undefined,
    );
    assert.deepEqual(
      offered.map(({ id, model, maxInputTokens, maxOutputTokens, sampling }) => [
        ...[id, model, maxInputTokens, maxOutputTokens],
        sampling.maxTokens,
        sampling.topP,
      ]),
      [
        ['server/small', 'small', 7192, 1000, 1000, undefined],
        ['server/large', 'large', 31_768, 1000, 1000, undefined],
        ['profile/far', 'unknown', 4096, 4096, undefined, 0.5],
      ],
    );
    assert.deepEqual(
      offeredModels(settings, undefined, () => undefined),
      [],
    );
  });
});
