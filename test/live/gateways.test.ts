import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../scripts/projectRoot';
import { LearnedQuirks } from '../../src/agent/servers/learnedQuirks';
import { gatewaySession } from '../../src/agent/servers/model/gatewaySession';
import { connectModel } from '../../src/agent/servers/model/modelConnection';
import { SlotQueue } from '../../src/agent/servers/model/slotQueue';
import { probeServer } from '../../src/agent/servers/probe/serverProbe';
import { Client } from '../../src/sdk';
import { createFetch } from '../../src/sdk/model/http/httpTransport';
import { Gateway } from './engines/gateway';
import type { LlamaServer } from './engines/llamaServer';
import { markCount, MarkedServer } from './gateways/markedServer';
import { serveGateway, type ClientAnswer } from './gateways/servedGateway';
import { findLiteLlm, installLiteLlm } from './install/installLiteLlm';
import { useLlamaServer } from './useLlamaServer';

const clients = 20;
const apiKey = 'sk-open-agent-live-test';
const marks = Array.from({ length: clients }, (_, index) => `client-${String(index).padStart(2, '0')}`);

/** The configuration that docs/servers.md shows, with these servers. */
async function documented(origins: readonly string[]): Promise<string> {
  const docs = await readFile(path.join(projectRoot, 'docs', 'servers.md'), 'utf8');
  const block = /```yaml\n(model_list:[^]*?)```/.exec(docs)?.[1];
  assert.ok(block, 'docs/servers.md shows no configuration of LiteLLM');
  return block
    .replace(/http:\/\/gpu(\d)\.example:8080/g, (_, number: string) => origins[Number(number) - 1] ?? '')
    .replace('sk-a-long-random-key', apiKey);
}

function startLiteLlm(
  program: string,
  servers: readonly MarkedServer[],
  change: (configuration: string) => string = (configuration) => configuration,
): Promise<Gateway> {
  return documented(servers.map(({ origin }) => origin)).then((configuration) =>
    Gateway.start({
      program,
      args: (file, port) => ['--config', file, '--host', '127.0.0.1', '--port', String(port)],
      configuration: change(configuration),
      env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
      ready: '/health/liveliness',
    }),
  );
}

type Outcome = 'whole' | 'begun again' | 'broken' | 'wrong';

/**
 * Whole: its own mark in every token. Begun again: the same after the beginning of an answer that broke off. Broken: such a
 * beginning, with an error that names what happened.
 */
function judge({ mark, text, error }: ClientAnswer): Outcome {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.some((word) => word !== mark)) return 'wrong';
  if (error !== undefined) return /server|connection|broke/i.test(error) ? 'broken' : 'wrong';
  if (words.length < markCount) return 'wrong';
  return words.length === markCount ? 'whole' : 'begun again';
}

describe('LiteLLM in front of two real llama-servers', function () {
  this.timeout(600_000);
  const llama = useLlamaServer();
  let program: string;
  before(async function () {
    // It needs one to five minutes, so `npm test` does not set it up.
    const mayInstall = process.env['OPEN_AGENT_LIVE_INSTALL'] === '1';
    const found = mayInstall ? await installLiteLlm((text) => console.log(`      ${text}`)) : findLiteLlm();
    if (found.ok) {
      program = found.program;
      return;
    }
    console.log(`      Skipped: ${found.reason}`);
    this.skip();
  });

  it(`gives ${clients} clients of the endpoint their own answers, on both servers, also when one dies`, async () => {
    const options = { contextWindow: 16_384, slots: 1 };
    const engines = [await llama.start('Qwen-Qwen3-0.6B', options), await llama.start('Qwen-Qwen3-0.6B', options)];
    await using first = await MarkedServer.start(engines[0] as LlamaServer);
    await using second = await MarkedServer.start(engines[1] as LlamaServer);
    const servers = [first, second];
    await using gateway = await startLiteLlm(program, servers);
    const found = await probeServer(gateway.baseUrl, {
      apiKey,
      fetch: createFetch(),
      signal: AbortSignal.timeout(60_000),
    });
    assert.ok(found.ok);
    const { kind, slots, models } = found;
    assert.deepEqual([kind, slots, models.map(({ id }) => id)], ['litellm', 2, ['coder']]);

    await using endpoint = await serveGateway(gateway.baseUrl, apiKey, clients);
    const crowd = async (onText?: () => void): Promise<Record<Outcome, number>> => {
      const answers = await Promise.all(marks.map((mark) => endpoint.ask(mark, onText)));
      const counts = { whole: 0, 'begun again': 0, broken: 0, wrong: 0 };
      for (const answer of answers) {
        const outcome = judge(answer);
        counts[outcome] += 1;
        if (outcome !== 'whole') console.log(`      ${outcome}: ${JSON.stringify(answer)}`);
      }
      console.log(`      ${JSON.stringify(counts)}; requests ${requests()}`);
      return counts;
    };
    const allWhole = { whole: clients, 'begun again': 0, broken: 0, wrong: 0 };
    const requests = (): string => servers.map((server) => server.requests).join(' and ');

    assert.deepEqual(await crowd(), allWhole);
    assert.ok(Math.min(first.requests, second.requests) >= clients / 4, `the load is not spread: ${requests()}`);

    let pieces = 0;
    const whileOneDies = await crowd(() => {
      pieces += 1;
      if (pieces === markCount) void first.kill();
    });
    assert.equal(whileOneDies.wrong, 0);
    // At most the answers that the dead server was giving.
    assert.ok(whileOneDies['begun again'] + whileOneDies.broken <= 2, JSON.stringify(whileOneDies));

    assert.deepEqual(await crowd(), allWhole);
  });

  it('keeps each session on one server, by its id, and uses both', async () => {
    const options = { contextWindow: 16_384, slots: 1 };
    await using first = await MarkedServer.start(await llama.start('Qwen-Qwen3-0.6B', options));
    await using second = await MarkedServer.start(await llama.start('Qwen-Qwen3-0.6B', options));
    // One failed request would take its server out for a while, and its sessions to the other one.
    await using gateway = await startLiteLlm(program, [first, second], (configuration) =>
      configuration.replace(/allowed_fails: 0\n\s*cooldown_time: \d+/, 'disable_cooldowns: true'),
    );
    const { baseUrl } = gateway;
    const numbers = new Map<string, string[]>();
    const send = createFetch();
    const noted: typeof fetch = (input, init) => {
      const mark = typeof init?.body === 'string' ? /client-\d+/.exec(init.body)?.[0] : undefined;
      const number = new Headers(init?.headers).get('x-litellm-session-id') ?? 'none';
      if (mark !== undefined) numbers.set(mark, [...(numbers.get(mark) ?? []), number]);
      return send(input, init);
    };
    const sessions = marks.slice(0, 8);
    const turns = 3;
    const slots = new SlotQueue();
    slots.setSize(baseUrl, 2);
    await Promise.all(
      sessions.map(async (mark) => {
        const { provider } = connectModel({
          ...{ baseUrl, model: 'coder', apiKey, server: undefined, contextWindow: 16_384, options: {}, slots },
          ...{ sessionId: gatewaySession(mark), quirks: new LearnedQuirks({ now: Date.now }), fetch: noted },
          warmer: undefined,
        });
        await using client = new Client({ systemPrompt: 'You are brief.', baseUrl, model: 'coder', provider });
        for (let turn = 0; turn < turns; turn++) {
          const run = client.run(`Say ${mark}.`);
          let next = await run.next();
          while (!next.done) next = await run.next();
          assert.equal(next.value.error, undefined);
        }
      }),
    );
    for (const mark of sessions) {
      assert.deepEqual(numbers.get(mark), Array<string>(turns).fill(gatewaySession(mark)), mark);
      const counts = [first, second].map((server) => server.marks.filter((each) => each === mark).length);
      assert.deepEqual(
        counts.toSorted((one, other) => one - other),
        [0, turns],
        `${mark}: ${counts.join(' and ')}`,
      );
    }
    assert.ok(Math.min(first.requests, second.requests) >= turns, `${first.requests} and ${second.requests}`);
  });
});
