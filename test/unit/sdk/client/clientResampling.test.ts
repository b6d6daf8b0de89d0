import assert from 'node:assert/strict';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import { tool } from '../../../../src/sdk/tool';
import { failure, response, textResponse, toolUse, type Script } from '../../../support/servers/scriptedProvider';

const error = { code: 'server_error', status: 500, message: 'Failed to parse input at pos 40: <tool_call>' } as const;
const said = { type: 'text', text: 'Let me look' } as const;
const unreadable: Script = [
  { type: 'text_delta', block: 0, text: said.text },
  { type: 'block_end', block: 0, content: said },
  { type: 'tool_use_start', block: 1, id: 'c1', name: 'read' },
  ...failure(error, [said]),
];

describe("Client with a server that cannot read its model's output", () => {
  it('asks again, and keeps only the readable answer', async () => {
    const { client, provider } = scriptedClient([unreadable, unreadable, textResponse('Here.')]);
    const { events, result } = await record(client.run('go'));
    assert.equal(result.outcome, 'completed');
    assert.deepEqual(client.history.slice(1), [
      { role: 'assistant', content: [{ type: 'text', text: 'Here.' }], stopReason: 'stop' },
    ]);
    assert.equal(provider.requests.length, 3);
    assert.deepEqual(provider.requests[2], provider.requests[0]);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
      ['sampled_again', 'sampled_again'],
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'step_start' || event.type === 'step_end' ? [event.step] : [])),
      [0, 0, 1, 1, 2, 2],
    );
  });

  it('begins an answer again for which the server had no room, a bounded number of times', async () => {
    const full: Script = [
      { type: 'text_delta', block: 0, text: said.text },
      { type: 'block_end', block: 0, content: said },
      ...failure({ code: 'server_full', status: 500, message: 'No room.' }, [said]),
    ];
    const once = scriptedClient([full, full, textResponse('Here.')]);
    const { result } = await record(once.client.run('go'));
    assert.equal(result.primaryText, 'Here.');
    assert.deepEqual(once.provider.requests[2], once.provider.requests[0]);
    const always = scriptedClient(Array.from({ length: 20 }, () => full));
    const ended = await record(always.client.run('go'));
    assert.deepEqual([ended.result.error?.code, always.provider.requests.length], ['server_full', 6]);
    assert.deepEqual(always.client.history.slice(1), [
      { role: 'assistant', content: [said], stopReason: 'incomplete' },
    ]);
  });

  it('begins an answer again whose connection broke, where the server is waited for, and only there', async () => {
    const broken = (code: 'server_gone' | 'stream_broken'): Script => [
      { type: 'text_delta', block: 0, text: said.text },
      { type: 'block_end', block: 0, content: said },
      { type: 'tool_use_start', block: 1, id: 'c1', name: 'read' },
      ...failure({ code, during: 'answer', message: 'It broke.' }, [said]),
    ];
    const waited = scriptedClient([broken('server_gone'), textResponse('Here.')]);
    const { result } = await record(waited.client.run('go'));
    assert.equal(result.primaryText, 'Here.');
    assert.deepEqual(waited.provider.requests[1], waited.provider.requests[0]);
    assert.equal(waited.client.history.length, 2);
    const ended = scriptedClient([broken('stream_broken'), textResponse('never')]);
    const failed = await record(ended.client.run('go'));
    assert.equal(failed.result.error?.code, 'stream_broken');
    assert.equal(ended.provider.requests.length, 1);
  });

  it('keeps the streamed text after two more attempts, and explains', async () => {
    const { client, provider } = scriptedClient([unreadable, unreadable, unreadable, textResponse('never')]);
    const { result } = await record(client.run('go'));
    assert.equal(provider.requests.length, 3);
    assert.equal(result.error?.code, 'server_error');
    assert.match(result.error?.message ?? '', /^Failed to parse input.*could not read its own model's output/);
    assert.deepEqual(client.history.slice(1), [{ role: 'assistant', content: [said], stopReason: 'incomplete' }]);
  });

  it('keeps blocks that a caller in manual mode has read', async () => {
    const shown = scriptedClient([unreadable, textResponse('never')], { autoExecuteTools: false });
    await shown.client.query('go');
    await assert.rejects(collect(shown.client.receiveMessages()), /could not read its own model's output/);
    assert.equal(shown.provider.requests.length, 1);

    const silent = scriptedClient([failure(error), textResponse('Here.')], { autoExecuteTools: false });
    await silent.client.query('go');
    assert.deepEqual(await collect(silent.client.receiveMessages()), [{ type: 'text', text: 'Here.' }]);
  });

  it('describes the tools in text for the rest of the run after two more attempts', async () => {
    const read = tool('read', 'Read', {}, () => 'text');
    const scripts = [unreadable, unreadable, unreadable, response([toolUse('c2', 'read')]), textResponse('Here.')];
    const { client, provider } = scriptedClient(scripts, { tools: [read] });
    const { events, result } = await record(client.run('go'));
    assert.equal(result.primaryText, 'Here.');
    assert.deepEqual(
      provider.requests.map(({ toolsAsText }) => toolsAsText ?? false),
      [false, false, false, true, true],
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
      ['sampled_again', 'sampled_again', 'sampled_again', 'server_quirk'],
    );
  });

  it('ends the run when tools in text are no help', async () => {
    const read = tool('read', 'Read', {}, () => 'text');
    const scripts = [unreadable, unreadable, unreadable, unreadable, textResponse('never')];
    const { client, provider } = scriptedClient(scripts, { tools: [read] });
    const { result } = await record(client.run('go'));
    assert.equal(provider.requests.length, 4);
    assert.match(result.error?.message ?? '', /could not read its own model's output/);
  });
});
