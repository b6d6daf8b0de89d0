import assert from 'node:assert/strict';
import { contextWindowOf, WindowWatch } from '../../../../../src/agent/servers/model/contextWindow';
import type { ServerKind, ServerModel } from '../../../../../src/agent/servers/probe/serverIdentity';
import type { FoundServer } from '../../../../../src/agent/servers/probe/serverProbe';
import type { ModelRequest } from '../../../../../src/sdk/model/modelProvider';
import {
  failure,
  response,
  ScriptedProvider,
  textResponse,
  type Script,
} from '../../../../support/servers/scriptedProvider';

function serverWith(kind: ServerKind, ...models: readonly ServerModel[]): FoundServer {
  return { ok: true, baseUrl: 'http://localhost:1/v1', kind, name: kind, models };
}

const loaded = serverWith('llama.cpp', { id: 'm', contextWindow: 8_192, contextSource: 'loaded' });
const advertised = serverWith('unknown', { id: 'm', contextWindow: 131_072, contextSource: 'advertised' });
const request: ModelRequest = { model: 'm', systemPrompt: '', messages: [], tools: [], sampling: {} };

describe('contextWindowOf', () => {
  it('prefers the setting to the loaded window, and that to the advertised one', () => {
    assert.deepEqual(contextWindowOf('m', { setting: 4_000, server: loaded }), { tokens: 4_000, source: 'setting' });
    assert.deepEqual(contextWindowOf('m', { setting: null, server: loaded }), { tokens: 8_192, source: 'loaded' });
    const window = contextWindowOf('m', { setting: null, server: advertised });
    assert.deepEqual(window, { tokens: 131_072, source: 'advertised' });
  });

  it('assumes a small window when the server does not say, and none before a server is known', () => {
    const assumed = { tokens: 16_384, source: 'assumed' };
    const server = serverWith('unknown', { id: 'm' });
    assert.deepEqual(contextWindowOf('m', { setting: null, server }), assumed);
    assert.deepEqual(contextWindowOf('other', { setting: null, server: advertised }), assumed);
    assert.equal(contextWindowOf('m', { setting: null, server: undefined }), undefined);
  });

  it('uses the only model of a llama-server for every name, but no model of a router', () => {
    const window = contextWindowOf('my-model', { setting: null, server: loaded });
    assert.deepEqual(window, { tokens: 8_192, source: 'loaded' });
    const router = { ...loaded, canLoad: true };
    assert.equal(contextWindowOf('my-model', { setting: null, server: router })?.source, 'assumed');
  });

  it("assumes Ollama's default window, not the model's maximum", () => {
    const server = serverWith(
      'ollama',
      { id: 'm:latest', contextWindow: 262_144, contextSource: 'advertised', isLoaded: false },
      { id: 'small', contextWindow: 2_048, contextSource: 'advertised' },
      { id: 'set', contextWindow: 32_768, contextSource: 'loaded', isLoaded: false },
    );
    const of = (model: string) => contextWindowOf(model, { setting: null, server });
    assert.deepEqual(of('m'), { tokens: 4_096, source: 'assumed' });
    assert.deepEqual(of('small'), { tokens: 2_048, source: 'assumed' });
    assert.deepEqual(of('set'), { tokens: 32_768, source: 'loaded' });
    assert.deepEqual(of('unlisted'), { tokens: 4_096, source: 'assumed' });
  });
});

describe('the watch over a context window', () => {
  /** The window after each of the requests, and how often the server was looked at. */
  async function follow(
    given: { readonly setting?: number; readonly server?: FoundServer; readonly found?: FoundServer | undefined },
    ...scripts: readonly Script[]
  ): Promise<unknown> {
    let looks = 0;
    const watch = new WindowWatch({
      model: 'm',
      setting: given.setting ?? null,
      server: given.server,
      look: () => {
        looks += 1;
        return Promise.resolve(given.found);
      },
    });
    const provider = watch.wrap(new ScriptedProvider(scripts));
    const windows: unknown[] = [];
    for (const _ of scripts) {
      for await (const event of provider.stream(request, { signal: new AbortController().signal })) void event;
      windows.push(watch.current?.tokens);
    }
    return { windows, looks };
  }
  const answer = textResponse('Hi.');
  const full = failure({ code: 'context_overflow', message: 'Full.' });

  it('asks once whether the first answer has loaded the model', async () => {
    const server = serverWith('ollama', { id: 'm', isLoaded: false });
    assert.deepEqual(await follow({ server, found: loaded }, answer, answer, answer), {
      windows: [4_096, 8_192, 8_192],
      looks: 1,
    });
    assert.deepEqual(await follow({ found: undefined }, answer, answer, answer), {
      windows: [undefined, undefined, undefined],
      looks: 1,
    });
  });

  it('does not ask when the window is sure', async () => {
    assert.deepEqual(await follow({ server: loaded }, answer, answer), { windows: [8_192, 8_192], looks: 0 });
    assert.deepEqual(await follow({ setting: 3_000, found: loaded }, answer, full), {
      windows: [3_000, 3_000],
      looks: 0,
    });
  });

  it('asks again when a prompt was refused', async () => {
    const now = serverWith('llama.cpp', { id: 'm', contextWindow: 4_096, contextSource: 'loaded' });
    assert.deepEqual(await follow({ server: loaded, found: now }, answer, full), { windows: [8_192, 4_096], looks: 1 });
  });

  it('asks again after an answer without a word, which may hide that a prompt was refused', async () => {
    const now = serverWith('lmstudio', { id: 'm', contextWindow: 4_096, contextSource: 'loaded' });
    const server = serverWith('lmstudio', { id: 'm', contextWindow: 32_768, contextSource: 'advertised' });
    assert.deepEqual(await follow({ server, found: now }, response([])), { windows: [4_096], looks: 1 });
    assert.deepEqual(await follow({ server, found: now }, answer), { windows: [32_768], looks: 0 });
  });
});
