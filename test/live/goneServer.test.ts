import assert from 'node:assert/strict';
import { connectModel } from '../../src/agent/servers/model/modelConnection';
import { SlotQueue } from '../../src/agent/servers/model/slotQueue';
import { Client, type AgentEvent } from '../../src/sdk';
import { createFetch } from '../../src/sdk/model/http/httpTransport';
import { record } from '../support/sessions/clients';
import type { LlamaServer } from './engines/llamaServer';
import { useLlamaServer } from './useLlamaServer';

const template = 'Qwen-Qwen3-0.6B';

describe('a real llama-server that is gone for a while', function () {
  this.timeout(240_000);
  const llama = useLlamaServer();

  const clientOf = ({ baseUrl }: Pick<LlamaServer, 'baseUrl'>, maxTokens: number): Client => {
    const parts = { baseUrl, model: 'tiny', apiKey: undefined, contextWindow: null, options: {}, server: undefined };
    const { provider } = connectModel({ ...parts, slots: new SlotQueue(), fetch: createFetch() });
    const options = { systemPrompt: 'You are brief.', model: 'tiny', baseUrl, provider, autoExecuteTools: true };
    return new Client({ ...options, maxTokens, temperature: 0 });
  };
  const isText = ({ type }: AgentEvent): boolean => type === 'text_delta' || type === 'thinking_delta';

  it('is waited for when it was killed in mid-answer, and the answer begins again', async () => {
    const server = await llama.start(template);
    await using client = clientOf(server, 60);
    let pieces = 0;
    let waits = 0;
    let restarted: Promise<LlamaServer> | undefined;
    const { events, result } = await record(client.run('Tell a long story.'), (event) => {
      pieces += isText(event) ? 1 : 0;
      if (pieces === 5) void server.kill();
      if (event.type !== 'retry' || event.gone === undefined) return;
      waits += 1;
      // It is away for more than three seconds.
      if (waits === 3) restarted = llama.start(template, { port: server.port });
    });
    await restarted;
    assert.equal(result.error, undefined);
    assert.equal(result.outcome, 'completed');
    assert.equal(result.usage?.completionTokens, 60);
    assert.deepEqual(
      client.history.map(({ role }) => role),
      ['user', 'assistant'],
    );
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.match(warnings[0] ?? '', /broke during the answer.*The answer begins again\.$/);
    assert.ok(waits >= 3);
  });

  it('is waited for between two requests, and no longer once the run is stopped', async () => {
    const server = await llama.start(template);
    await using client = clientOf(server, 20);
    let waits = 0;
    assert.equal((await record(client.run('First.'))).result.outcome, 'completed');
    await server.kill();
    const { result } = await record(client.run('Second.'), (event) => {
      if (event.type !== 'retry') return;
      waits += 1;
      if (waits === 2) void client.interrupt();
    });
    assert.deepEqual([result.outcome, waits], ['interrupted', 2]);
  });

  it('is not waited for when it has never answered', async () => {
    const server = await llama.start(template);
    await server.kill();
    await using client = clientOf(server, 20);
    const { events, result } = await record(client.run('Hello.'));
    assert.match(result.error?.message ?? '', /the connection was refused\. Is the model server running/);
    assert.equal(events.filter(({ type }) => type === 'retry').length, 3);
  });
});
