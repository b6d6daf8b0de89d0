import assert from 'node:assert/strict';
import { Client, tool, type Tool, type ToolContext } from '../../../src/sdk';
import { record } from '../../support/sessions/clients';
import { ModelServer } from '../../support/servers/modelServer';

describe('tool calls of the SDK against a model server', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(async () => {
    await server.dispose();
    assert.deepEqual(server.unexpected, []);
  });

  const clientWith = (tools: readonly Tool[]): Client =>
    new Client({ model: 'test-model', baseUrl: server.baseUrl, tools: [...tools], autoExecuteTools: true });

  const answersToModel = (): readonly unknown[] =>
    (server.completions[1]?.body.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

  it('runs calls side by side where their tool allows it, and sends the results in the order of the calls', async () => {
    let tell = (): void => {};
    const secondRan = new Promise<void>((resolve) => (tell = resolve));
    const look = tool(
      'look',
      'Look at a place',
      { place: 'string' },
      async ({ place }) => {
        // The first call ends after the second, so both run at the same time.
        if (place === 'first') await secondRan;
        else tell();
        return `saw ${place}`;
      },
      { parallel: true },
    );
    server.script(
      { toolCalls: ['first', 'second'].map((place) => ({ name: 'look', arguments: { place } })) },
      { text: 'Seen.' },
    );
    await using client = clientWith([look]);
    const { result } = await record(client.run('Look.'));
    assert.equal(result.primaryText, 'Seen.');
    assert.deepEqual(answersToModel(), ['saw first', 'saw second']);
  });

  it('stops a tool at its time limit, tells the model, and goes on', async () => {
    const signals: AbortSignal[] = [];
    const work = (_input: unknown, { signal }: ToolContext): Promise<never> => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const look = tool('look', 'Look', {}, work, { timeoutMs: 20 });
    server.script({ toolCalls: [{ name: 'look', arguments: {} }] }, { text: 'It is too slow.' });
    await using client = clientWith([look]);
    const { result } = await record(client.run('Look.'));
    assert.deepEqual([result.outcome, result.primaryText], ['completed', 'It is too slow.']);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
    assert.deepEqual(answersToModel(), [
      'look took longer than its limit of 0.02 s and was stopped. It may have taken effect in part.',
    ]);
  });
});
