import assert from 'node:assert/strict';
import path from 'node:path';
import { AgentError, Client, openSession, query, type AgentOptions } from '../../../src/sdk';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { collect } from '../../support/sessions/clients';
import { createGate, ModelServer } from '../../support/servers/modelServer';

describe('leaving a request', () => {
  let server: ModelServer;
  let options: AgentOptions;

  beforeEach(async () => {
    server = await ModelServer.start();
    options = { systemPrompt: '', model: 'test-model', baseUrl: server.baseUrl, timeoutMs: null };
  });
  afterEach(async () => {
    await server.dispose();
    assert.deepEqual(server.unexpected, []);
  });

  /** The server gets a request and answers nothing. */
  async function requestArrived(): Promise<void> {
    while (server.completions.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }

  const starts: readonly (readonly [string, (options: AgentOptions) => Promise<AsyncGenerator<unknown, unknown>>])[] = [
    ['query', async (options) => query('Hi', options)],
    [
      'receiveMessages',
      async (options) => {
        const client = new Client(options);
        await client.query('Hi');
        return client.receiveMessages();
      },
    ],
    ['run', async (options) => new Client({ ...options, autoExecuteTools: true }).run('Hi')],
    [
      'continueRun',
      async (options) => new Client({ ...options, history: [{ role: 'user', content: 'Hi' }] }).continueRun(),
    ],
  ];
  for (const [name, start] of starts) {
    for (const way of ['return', 'dispose', 'throw'] as const) {
      it(`${name}: ${way} before the first byte closes the connection`, async () => {
        server.script({ text: [createGate(), 'never'] });
        const answer = await start(options);
        const reading = readToEnd(answer);
        await requestArrived();
        if (way === 'return') await answer.return(undefined);
        else if (way === 'dispose') await answer[Symbol.asyncDispose]();
        else await assert.rejects(answer.throw(new Error('left')), /left/);
        assert.equal(await server.completions[0]?.closed, 'broken');
        await reading;
        assert.equal(server.completions.length, 1);
      });
    }
  }

  it('a session is left at once too, and records the end', async () => {
    await using folder = await createTemporaryFolder();
    await using session = await openSession(path.join(folder.path, 'notes.jsonl'));
    server.script({ text: [createGate(), 'never'] });
    const run = session.run(new Client(options), 'Hi');
    const reading = readToEnd(run);
    await requestArrived();
    await run.return(undefined as never);
    await reading;
    assert.equal(await server.completions[0]?.closed, 'broken');
    assert.equal(session.isUnfinished, false);
  });

  it('query: a signal ends the request before the first byte, and the caller is told', async () => {
    server.script({ text: [createGate(), 'never'] });
    const stop = new AbortController();
    const reading = collect(query('Hi', { ...options, signal: stop.signal }));
    await requestArrived();
    const reason = new Error('The page was closed.');
    stop.abort(reason);
    await assert.rejects(reading, (error) => {
      assert.ok(error instanceof AgentError && error.code === 'interrupted');
      assert.equal(error.cause, reason);
      return true;
    });
    assert.equal(await server.completions[0]?.closed, 'broken');
  });

  it('query: a signal ends an answer that has begun, after its first pieces', async () => {
    server.script({ text: ['One', createGate(), 'never'] });
    const stop = new AbortController();
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { content } of query('Hi', { ...options, signal: stop.signal })) {
        for (const block of content) if (block.type === 'text') texts.push(block.text);
        stop.abort();
      }
    };
    await assert.rejects(read(), { code: 'interrupted' });
    assert.deepEqual(texts, ['One']);
    assert.equal(await server.completions[0]?.closed, 'broken');
  });

  it('query: a signal that is aborted already sends nothing', async () => {
    const prompts: string[] = [];
    const hooks = { UserPromptSubmit: [({ prompt }: { prompt: string }) => void prompts.push(prompt)] };
    await assert.rejects(collect(query('Hi', { ...options, hooks, signal: AbortSignal.abort() })), {
      code: 'interrupted',
    });
    assert.deepEqual([server.requests, prompts], [[], []]);
  });

  it('query: an answer that nobody reads sends nothing', async () => {
    const answer = query('Hi', options);
    await answer.return(undefined);
    assert.deepEqual([await answer.next(), server.requests], [{ done: true, value: undefined }, []]);
  });
});

async function readToEnd(answer: AsyncGenerator<unknown, unknown>): Promise<void> {
  try {
    while (!(await answer.next()).done);
  } catch (error) {
    assert.match(String(error), /left/);
  }
}
