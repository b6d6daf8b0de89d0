import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectModel } from '../../src/agent/servers/model/modelConnection';
import type { ModelOptions } from '../../src/agent/servers/model/modelOptions';
import { SlotQueue } from '../../src/agent/servers/model/slotQueue';
import { probeServer } from '../../src/agent/servers/probe/serverProbe';
import { Client, tool, type AgentEvent, type AgentOptions } from '../../src/sdk';
import { createFetch } from '../../src/sdk/model/http/httpTransport';
import { record } from '../support/sessions/clients';
import { LlamaCppPython, type LlamaCppPythonOptions } from './engines/llamaCppPython';
import { findLlamaCppPython, installLlamaCppPython } from './install/installLlamaCppPython';
import type { LlamaServerProgram } from './install/installLlamaServer';
import { liveParts } from './install/liveParts';
import { tinyModel } from './models/tinyModel';

const longText = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `Ship ${line} lies at pier ${line % 9}.`).join('\n');

describe('a real server of llama-cpp-python', function () {
  this.timeout(600_000);
  const fetch = createFetch();
  const running: LlamaCppPython[] = [];
  let program: LlamaServerProgram;
  let folder = '';
  let model = '';
  const isText = ({ type }: AgentEvent): boolean => type === 'text_delta' || type === 'thinking_delta';

  before(async function () {
    // `npm test` uses it where it is installed, and does not set it up.
    const say = (text: string): void => console.log(`      ${text}`);
    const parts = await liveParts();
    const found =
      process.env['OPEN_AGENT_LIVE_INSTALL'] === '1' ? await installLlamaCppPython(say) : await findLlamaCppPython();
    if (!parts.ok || !found.ok) {
      say(`Skipped: ${parts.ok ? (found as { readonly reason: string }).reason : parts.reason}`);
      return this.skip();
    }
    program = found;
    folder = await mkdtemp(path.join(tmpdir(), 'open-agent-llama-cpp-python-'));
    model = path.join(folder, 'tiny.gguf');
    const vocabulary = await readFile(path.join(parts.models.vocabularies, 'qwen2.gguf'));
    const template = await readFile(path.join(parts.models.templates, 'Qwen-Qwen2.5-7B-Instruct.jinja'), 'utf8');
    await writeFile(model, tinyModel(vocabulary, template));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.kill()));
  });
  after(() => (folder === '' ? undefined : rm(folder, { recursive: true, force: true })));

  async function start(options: Partial<LlamaCppPythonOptions> = {}): Promise<LlamaCppPython> {
    const server = await LlamaCppPython.start(program, { model, ...options });
    running.push(server);
    return server;
  }
  function clientOf({ baseUrl }: LlamaCppPython, more: Partial<AgentOptions> = {}, options: ModelOptions = {}): Client {
    const parts = { baseUrl, model: 'tiny', apiKey: undefined, contextWindow: null, options, server: undefined };
    const { provider, contextWindow } = connectModel({ ...parts, slots: new SlotQueue(), fetch });
    return new Client({
      systemPrompt: 'You are brief.',
      model: 'tiny',
      baseUrl,
      provider,
      maxTokens: 24,
      temperature: 0,
      autoExecuteTools: true,
      compaction: { contextWindow },
      ...more,
    });
  }

  it('is found with its model, and one request is sent at a time', async () => {
    const found = await probeServer((await start()).baseUrl, { fetch, signal: new AbortController().signal });
    assert.ok(found.ok);
    assert.deepEqual([found.models.map(({ id }) => id), found.slots], [['tiny'], undefined]);
  });

  it('streams text, and answers again in the same conversation', async () => {
    await using client = clientOf(await start());
    let pieces = 0;
    const first = await record(client.run('Say something.'), (event) => void (pieces += isText(event) ? 1 : 0));
    assert.deepEqual([first.result.outcome, first.result.error], ['completed', undefined]);
    assert.ok(pieces > 1, `${pieces} pieces`);
    assert.equal((await record(client.run('Again.'))).result.outcome, 'completed');
    assert.equal(client.history.length, 4);
  });

  for (const toolCalls of ['native', 'text'] as const) {
    it(`runs a call that its model writes, with tools sent as ${toolCalls}`, async () => {
      const paths: string[] = [];
      const read = tool('read_file', 'Reads a file.', { path: 'string' }, ({ path: file }: { path: string }) => {
        paths.push(file);
        return 'one';
      });
      const words = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>';
      const grammar = `root ::= ${JSON.stringify(words)}`;
      const more = { tools: [read], extraBody: { grammar }, maxTokens: 64, maxToolIterations: 2 };
      await using client = clientOf(await start(), more, { toolCalls });
      await record(client.run('Read a.ts.'));
      assert.deepEqual(paths, ['a.ts', 'a.ts']);
    });
  }

  it('is asked for the reason of an empty stream, and says that the prompt is too long', async () => {
    await using client = clientOf(await start({ contextWindow: 512 }), { compaction: {} });
    const { result, events } = await record(client.run(longText(100)));
    assert.equal(result.error?.code, 'context_overflow');
    assert.equal(result.error.contextLimit, 512);
    assert.ok(events.some((event) => event.type === 'warning' && /asked once more/.test(event.message)));
  });

  it('is compacted and goes on when its server refuses a prompt without a word', async () => {
    const server = await start({ contextWindow: 1_024 });
    const extraBody = { grammar: 'root ::= "It goes on."' };
    await using client = clientOf(server, { compaction: {}, extraBody });
    const reasons: string[] = [];
    for (const prompt of ['first', 'second', 'third', 'fourth']) {
      const { events, result } = await record(client.run(`${prompt}\n${longText(25)}`));
      assert.deepEqual([result.outcome, result.error], ['completed', undefined]);
      reasons.push(...events.flatMap((event) => (event.type === 'compaction' ? [event.reason] : [])));
    }
    assert.equal(reasons[0], 'overflow');
    assert.match(JSON.stringify(client.history), /fourth/);
  });

  it('answers two clients at once, each in its own conversation', async () => {
    // By default it ends an answer when another request comes.
    const server = await start({ args: ['--interrupt_requests', 'false'] });
    const names = ['first', 'second'];
    const histories = await Promise.all(
      names.map(async (name) => {
        await using client = clientOf(server);
        for (const turn of [1, 2]) {
          const { result } = await record(client.run(`${name} ${turn}`));
          assert.deepEqual([result.outcome, result.error], ['completed', undefined]);
        }
        return client.history.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
      }),
    );
    assert.deepEqual(
      histories,
      names.map((name) => [`${name} 1`, `${name} 2`]),
    );
  });

  it('stops while it reads a prompt, and answers the next one', async () => {
    const server = await start({ contextWindow: 32_768 });
    await using client = clientOf(server);
    const stopped = await record(client.run(longText(1_500)), (event) => {
      if (event.type === 'status' && event.status === 'prefilling') void client.interrupt();
    });
    assert.equal(stopped.result.outcome, 'interrupted');
    await using next = clientOf(server);
    assert.equal((await record(next.run('Hello.'))).result.outcome, 'completed');
  });

  it('stops in the middle of a text, and answers the next prompt', async () => {
    await using client = clientOf(await start(), { maxTokens: 2_000 });
    let pieces = 0;
    const stopped = await record(client.run('Tell a long story.'), (event) => {
      pieces += isText(event) ? 1 : 0;
      if (pieces === 3) void client.interrupt();
    });
    assert.equal(stopped.result.outcome, 'interrupted');
    await using next = clientOf({ baseUrl: client.options.baseUrl } as LlamaCppPython);
    assert.equal((await record(next.run('Hello.'))).result.outcome, 'completed');
  });

  it('is killed in mid-answer, and the answer begins again after a restart', async () => {
    const server = await start();
    await using client = clientOf(server, { maxTokens: 40 });
    let pieces = 0;
    let restarted: Promise<LlamaCppPython> | undefined;
    const { result } = await record(client.run('Tell a long story.'), (event) => {
      pieces += isText(event) ? 1 : 0;
      if (pieces === 3 && restarted === undefined) restarted = server.kill().then(() => start({ port: server.port }));
    });
    await restarted;
    assert.deepEqual([result.outcome, result.error], ['completed', undefined]);
  });
});
