import assert from 'node:assert/strict';
import { AgentError, Client, query, type AgentErrorCode, type AgentOptions } from '../../../src/sdk';
import { collect, record } from '../../support/sessions/clients';
import { createGate, ModelServer, type Turn } from '../../support/servers/modelServer';

describe('the errors of the SDK', () => {
  let server: ModelServer;
  let options: AgentOptions;

  beforeEach(async () => {
    server = await ModelServer.start();
    options = { systemPrompt: '', model: 'test-model', baseUrl: server.baseUrl, maxRetries: 0 };
  });
  afterEach(() => server.dispose());

  async function errorOf(work: Promise<unknown>, code: AgentErrorCode): Promise<AgentError> {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof AgentError, String(error));
      assert.equal(error.code, code);
      return error;
    }
    return assert.fail('It did not fail.');
  }

  const answers: readonly (readonly [string, Turn, AgentErrorCode, RegExp])[] = [
    [
      '429',
      { kind: 'status', status: 429, body: { error: { message: 'slow down' } } },
      'rate_limited',
      /429.*slow down/,
    ],
    [
      '400',
      { kind: 'status', status: 400, body: { error: { message: 'odd field' } } },
      'bad_request',
      /400.*odd field/,
    ],
    ['500', { kind: 'status', status: 500, body: 'out of memory' }, 'server_error', /500.*out of memory/],
    ['401', { kind: 'status', status: 401, body: 'no key' }, 'unauthorized', /401.*no key/],
    ['a web page', { kind: 'status', status: 200, body: '<html>Hello' }, 'not_openai_compatible', /200.*Hello/],
    ['an error in the stream', { kind: 'raw', writes: ['data: {"error":"exploded"}\n\n'] }, 'server_error', /exploded/],
  ];
  for (const [name, turn, code, cause] of answers) {
    it(`${name} is ${code}, with the server's answer as its cause`, async () => {
      server.script(turn);
      const error = await errorOf(collect(query('Hi', options)), code);
      assert.match((error.cause as Error).message, cause);
      assert.equal('cause' in JSON.parse(JSON.stringify(error.toInfo())), false);
    });
  }

  it("a connection that is refused or breaks has the system's error as its cause", async () => {
    await server.dispose();
    const refused = await errorOf(collect(query('Hi', options)), 'connection');
    assert.equal(
      (refused.cause as NodeJS.ErrnoException).cause instanceof Error || 'code' in (refused.cause as object),
      true,
    );
  });

  it('a broken stream keeps the id and the model of the response, and its text', async () => {
    const chunk = (delta: object) =>
      `data: ${JSON.stringify({ id: 'r-7', model: 'real-name', choices: [{ index: 0, delta }] })}\n\n`;
    server.script({ kind: 'raw', writes: [chunk({ content: 'One ' }), chunk({ content: 'two' })], cut: true });
    const { result } = await record(new Client(options).run('Hi'));
    assert.deepEqual(
      [result.finalResponse?.id, result.finalResponse?.model, result.finalResponse?.stopReason, result.primaryText],
      ['r-7', 'real-name', 'incomplete', 'One two'],
    );
    assert.equal(result.error?.code, 'stream_broken');
  });

  it('an interrupted answer keeps its id and model too', async () => {
    const chunk = `data: ${JSON.stringify({ id: 'r-8', model: 'real-name', choices: [{ index: 0, delta: { content: 'One' } }] })}\n\n`;
    server.script({ kind: 'raw', writes: [chunk, createGate()] });
    const client = new Client(options);
    const { result } = await record(client.run('Hi'), async ({ type }) => {
      if (type === 'text_delta') await client.interrupt();
    });
    assert.deepEqual(
      [result.outcome, result.finalResponse?.id, result.finalResponse?.model],
      ['interrupted', 'r-8', 'real-name'],
    );
  });

  it('tells a denial, the end of the turns and a run under way apart', async () => {
    const reason = new Error('The rule is broken.');
    const denying = new Client({ ...options, hooks: { UserPromptSubmit: [() => Promise.reject(reason)] } });
    const denied = await errorOf(denying.query('Hi'), 'denied');
    assert.equal(denied.cause, reason);
    server.script({ text: 'One.' });
    const brief = new Client({ ...options, maxTurns: 1 });
    await record(brief.run('Hi'));
    await errorOf(brief.query('Again'), 'max_turns');
    const gate = createGate();
    server.script({ heldUntil: gate, text: 'Two.' });
    const busy = new Client({ ...options, autoExecuteTools: true });
    const run = busy.run('Hi');
    await run.next();
    await errorOf(busy.query('Again'), 'busy');
    await errorOf(busy.run('Again').next(), 'busy');
    await errorOf(busy.continueRun().next(), 'busy');
    await run.return(undefined as never);
  });

  it('names wrong options, with the issues as the cause', async () => {
    const error = await errorOf((async () => new Client({ ...options, maxTurns: 0 }))(), 'invalid_options');
    assert.ok(error.cause instanceof Error && 'issues' in error.cause);
  });
});
