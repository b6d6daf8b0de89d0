import assert from 'node:assert/strict';
import { probeServer } from '../../../src/agent/servers/probe/serverProbe';
import { startPracticeModel } from '../../../scripts/practiceModel/server';
import { runLive, type LiveCounts } from '../../live/runLive';
import { createGate, ModelServer, type Turn } from '../../support/servers/modelServer';

interface Ran {
  readonly counts: LiveCounts;
  readonly lines: readonly string[];
}

async function runOn(baseUrl: string): Promise<Ran> {
  const lines: string[] = [];
  const servers = [await probeServer(baseUrl, { fetch, signal: new AbortController().signal })];
  const counts = await runLive({ servers, model: '', keyFor: () => undefined, print: (line) => lines.push(line) });
  return { counts, lines };
}

/** The printed text without its numbers, which change in every run. */
const outcomes = ({ lines }: Ran): readonly string[] =>
  lines.flatMap((line) => /^  (\w+ +[\w ]+):/.exec(line)?.[1]?.replace(/ +/, ' ') ?? []);

describe('the live suite', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(() => server.dispose());

  /** The answers of a server and a model that can do everything, in the order of the checks. */
  function turns(): readonly Turn[] {
    const cached = (cachedTokens: number) => ({ promptTokens: 2_000, completionTokens: 5, cachedTokens });
    return [
      { text: ['one\n', 'two\n', 'three'] },
      { toolCalls: [{ name: 'get_door_code', arguments: { door: 'cellar' } }] },
      { text: 'The code is K7-4193.' },
      { thinking: 'Two, three, five, seven, eleven.', text: 'Five.' },
      { text: 'Hello.', usage: { promptTokens: 20, completionTokens: 2 } },
      { text: '{"country":"France","capital":"Paris"}' },
      { text: ['Once', createGate()] },
      { text: 'OK' },
      { text: 'At pier 1.', usage: cached(0) },
      { text: 'At pier 2.', usage: cached(1_990) },
    ];
  }

  it('passes with a server and a model that can do everything', async () => {
    server.script(...turns());
    const ran = await runOn(server.baseUrl);
    assert.deepEqual(ran.counts, { passed: 7, failed: 0, skipped: 0 }, ran.lines.join('\n'));
    assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
    assert.match(ran.lines[0] ?? '', /^\n.* at http:\/\/127\.0\.0\.1:\d+\/v1, model test-model$/);
  });

  it('skips features that the model or server lacks, with the reason', async () => {
    await using practice = await startPracticeModel({ paceMs: 0 });
    const ran = await runOn(practice.baseUrl);
    assert.equal(ran.counts.failed, 0, ran.lines.join('\n'));
    const text = ran.lines.join('\n');
    assert.match(text, /skipped +tool call: the model answered without calling the tool/);
    assert.match(text, /skipped +thinking: the model does not think/);
    assert.match(text, /skipped +prompt cache: the server does not say what it had cached/);
  });

  it('fails where the SDK or the server is wrong, and continues', async () => {
    const others = turns().slice(1, -1);
    const changed: Turn = { text: 'At pier 2.', usage: { promptTokens: 2_000, completionTokens: 5, cachedTokens: 40 } };
    server.script({ kind: 'status', status: 400, body: { error: { message: 'No.' } } }, ...others, changed);
    const ran = await runOn(server.baseUrl);
    assert.deepEqual(outcomes(ran), [
      'failed streaming',
      'passed tool call',
      'passed thinking',
      'passed usage',
      'passed structured output',
      'passed interrupt',
      'failed prompt cache',
    ]);
  });

  it('reports when there is no server, and skips an unusable one', async () => {
    const lines: string[] = [];
    const print = (line: string): unknown => lines.push(line);
    const none = await runLive({ servers: [], model: '', keyFor: () => undefined, print });
    assert.deepEqual(none, { passed: 0, failed: 0, skipped: 0 });
    assert.match(lines[0] ?? '', /^No model server answers on the usual ports .*8080.*: nothing was tested\.$/);

    await using locked = await ModelServer.start({ apiKey: 'secret' });
    const ran = await runOn(locked.baseUrl);
    assert.deepEqual(ran.counts, { passed: 0, failed: 0, skipped: 7 });
    assert.match(ran.lines[1] ?? '', /skipped +everything: .*key/i);
  });
});
