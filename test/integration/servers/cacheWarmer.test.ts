import assert from 'node:assert/strict';
import { measureCache, worstOverhead } from '../../../bench/cache';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import { CacheWarmer } from '../../../src/agent/servers/model/cacheWarmer';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import type { ServerKind } from '../../../src/agent/servers/probe/serverIdentity';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { record } from '../../support/sessions/clients';
import { ManualSchedule } from '../../support/manualSchedule';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

describe('a server with a prompt cache', () => {
  it('reads only new tokens within a turn, and almost none at the next message', async () => {
    const { steps, secondMessage, warming } = await measureCache({ isWarmed: true });
    assert.equal(steps.length, 40);
    assert.ok(worstOverhead(steps) <= 0.01, `worst step: ${worstOverhead(steps)}`);
    assert.ok(secondMessage.readTokens <= 30, `read ${secondMessage.readTokens}`);
    assert.deepEqual([warming?.maxTokens, warming?.lastRole], [0, 'user']);
  });

  it('reads the whole turn again without warming', async () => {
    const { secondMessage } = await measureCache({ isWarmed: false });
    assert.ok(secondMessage.readTokens > 5_000, `read ${secondMessage.readTokens}`);
  });
});

describe('an agent', () => {
  async function withAgent(
    kind: ServerKind,
    test: (parts: {
      server: ModelServer;
      schedule: ManualSchedule;
      warmer: CacheWarmer;
      ask: (prompt: string) => Promise<string>;
    }) => Promise<void>,
  ): Promise<void> {
    await using server = await ModelServer.start();
    const folder = await createTemporaryFolder({});
    const schedule = new ManualSchedule();
    const slots = new SlotQueue();
    const warmer = new CacheWarmer({ slots, setTimer: schedule.schedule });
    const create = createAgent({
      settings: () => ({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm' }),
      ports: createNodePorts(),
      roots: () => [{ name: 'app', path: folder.path }],
      isTrusted: () => true,
      keys: new KeyStore({ secrets: memorySecrets() }),
      slots,
      warmer,
      serverAt: (baseUrl) => ({ ok: true, baseUrl, kind, name: kind, models: [] }),
      fetch: createFetch(),
      platform: 'linux',
    });
    const { client } = await create({
      history: [],
      recordCheckpoint: () => Promise.resolve(),
      sessionId: 's',
      ask: () => assert.fail('nobody may be asked'),
    });
    try {
      await test({
        server,
        schedule,
        warmer,
        ask: async (prompt) => (await record(client.run(prompt))).result.primaryText,
      });
    } finally {
      warmer.dispose();
      await client.close();
      await folder.dispose();
    }
  }

  it('warms the cache of llama.cpp with the beginning of the next request', () =>
    withAgent('llama.cpp', async ({ server, schedule, ask }) => {
      server.script({ thinking: 'Hm.', text: 'Hi.' }, { text: 'Bye.' });
      await ask('Hello');
      schedule.run();
      const warming = await server.warming(1);
      await warming.closed;
      assert.equal(await ask('Thanks'), 'Bye.');
      const next = server.completions[1]!;
      assert.deepEqual([warming.body['max_tokens'], 'max_tokens' in next.body], [0, false]);
      assert.deepEqual(warming.body.messages.at(-1), { role: 'user', content: '' });
      assert.equal(JSON.stringify(warming.body.tools), JSON.stringify(next.body.tools));
      assert.deepEqual(warming.body.messages.slice(0, -1), next.body.messages.slice(0, -1));
    }));

  it('warms llama.cpp at once before the process ends, and stops when there is no time left', () =>
    withAgent('llama.cpp', async ({ server, warmer, ask }) => {
      server.script({ thinking: 'Hm.', text: 'Hi.' }, { thinking: 'Hm.', text: 'Bye.' });
      await ask('Hello');
      await warmer.finish(new AbortController().signal);
      assert.equal(await (await server.warming(1)).closed, 'sent');
      await ask('Thanks');
      server.warmingGate = createGate();
      const stop = new AbortController();
      const finished = warmer.finish(stop.signal);
      const warming = await server.warming(2);
      stop.abort();
      await finished;
      assert.equal(await warming.closed, 'broken');
      await warmer.finish(new AbortController().signal);
      assert.equal(server.warmings.length, 2);
    }));

  it('stops warming llama.cpp when a request comes', () =>
    withAgent('llama.cpp', async ({ server, schedule, ask }) => {
      server.warmingGate = createGate();
      server.script({ thinking: 'Hm.', text: 'Hi.' }, { text: 'Bye.' });
      await ask('Hello');
      schedule.run();
      const warming = await server.warming(1);
      assert.equal(await ask('Thanks'), 'Bye.');
      assert.equal(await warming.closed, 'broken');
    }));

  it('sends no warming to any other server', () =>
    withAgent('vllm', async ({ server, schedule, ask }) => {
      server.script({ thinking: 'Hm.', text: 'Hi.' });
      await ask('Hello');
      assert.deepEqual([schedule.delays, server.completions.length, server.warmings], [[], 1, []]);
    }));
});
