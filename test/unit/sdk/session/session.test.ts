import assert from 'node:assert/strict';
import type { Client } from '../../../../src/sdk/client';
import type { AgentOptions } from '../../../../src/sdk/configuration/agentOptions';
import type { SessionEntry } from '../../../../src/sdk/session/entries';
import { OUTCOME_UNKNOWN } from '../../../../src/sdk/session/replay';
import { openSession } from '../../../../src/sdk/session/openSession';
import type { Session } from '../../../../src/sdk/session/session';
import { tool } from '../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { ManualSchedule } from '../../../support/manualSchedule';
import { MemoryLogStorage } from '../../../support/sessions/memoryLogStorage';
import { failure, hold, response, textResponse, toolUse, type Script } from '../../../support/servers/scriptedProvider';

const path = '/sessions/s.jsonl';
const add = tool('add', 'Add', { a: 'number', b: 'number' }, ({ a, b }) => ({ sum: a + b }));
const call = toolUse('c1', 'add', { a: 1, b: 2 });

describe('a session', () => {
  let storage: MemoryLogStorage;
  let schedule: ManualSchedule;

  beforeEach(() => {
    storage = new MemoryLogStorage();
    schedule = new ManualSchedule();
  });

  function open(): Promise<Session> {
    let count = storage.text(path).split('\n').length;
    return openSession(path, { storage, now: () => 0, newId: () => `e${count++}`, setTimer: schedule.schedule });
  }

  function clientOf(session: Session, scripts: readonly Script[], options: Partial<AgentOptions> = {}): Client {
    return scriptedClient(scripts, { tools: [add], history: session.history, ...options }).client;
  }

  async function typesOnFile(): Promise<readonly string[]> {
    return (await open()).entries.map(({ type }: SessionEntry) => type);
  }

  it('records a run, passes on its events, and gives the next client the same history', async () => {
    const session = await open();
    const client = clientOf(session, [response([call]), textResponse('3')]);
    const { events, result } = await record(session.run(client, '1 + 2?'));
    await session.close();
    assert.deepEqual([events.at(0)?.type, events.at(-1)?.type, result.primaryText], ['run_start', 'run_end', '3']);
    assert.deepEqual(await typesOnFile(), [
      'system_message',
      'status_update',
      'user_message',
      'assistant_message',
      'tool_call',
      'tool_result',
      'assistant_message',
      'status_update',
    ]);
    const again = await open();
    assert.deepEqual(again.history, client.history);
    assert.equal(again.isUnfinished, false);

    const next = clientOf(again, [textResponse('Bye.')]);
    await record(again.run(next, 'Bye!'));
    assert.deepEqual((await open()).history, next.history);
    assert.equal(next.history.length, 6);
  });

  it('writes the intent to disk before the tool runs', async () => {
    const steps: (readonly string[])[] = [];
    const look = tool('look', 'Look', {}, () => void steps.push([...storage.steps]));
    const session = await open();
    const client = clientOf(session, [response([toolUse('c1', 'look')]), textResponse('ok')], { tools: [look] });
    await record(session.run(client, 'go'));
    assert.deepEqual(steps[0]?.slice(-2), ['write tool_call', 'sync']);
  });

  it('records results that the caller adds in manual mode', async () => {
    const session = await open();
    const manual = { autoExecuteTools: false };
    const calls = [call, toolUse('c2', 'add', { a: 2, b: 2 })];
    const client = clientOf(session, [response(calls), textResponse('3 and 4')], manual);
    await record(session.run(client, 'go'));
    await client.addToolResult('c2', { sum: 4 });
    await client.addToolResult('c1', 'no idea', { isError: true });
    await session.sync();
    assert.deepEqual((await open()).history, client.history);
    await record(session.continueRun(client));
    assert.deepEqual((await open()).history, client.history);
    assert.equal((await typesOnFile()).filter((type) => type === 'tool_result').length, 2);
  });

  it('keeps the answer so far when the reader leaves early', async () => {
    const session = await open();
    const partial: Script = [{ type: 'text_delta', block: 0, text: 'Once' }, hold()];
    const client = clientOf(session, [partial, textResponse('The end.')]);
    for await (const event of session.run(client, 'Tell me.')) if (event.type === 'text_delta') break;
    assert.deepEqual(session.history, client.history);
    assert.deepEqual(session.history.at(-1), {
      role: 'assistant',
      content: [{ type: 'text', text: 'Once' }],
      stopReason: 'interrupted',
    });
    assert.equal(session.isUnfinished, false);
    await record(session.run(client, 'And then?'));
    assert.deepEqual((await open()).history, client.history);
  });

  it('keeps the text up to a second before the process died, and marks its tools as unknown', async () => {
    const session = await open();
    const gate = hold();
    const deltas: Script = [
      { type: 'text_delta', block: 0, text: 'Once ' },
      { type: 'text_delta', block: 0, text: 'upon' },
      { type: 'text_delta', block: 0, text: ' a time' },
      gate,
    ];
    const client = clientOf(session, [deltas]);
    const run = session.run(client, 'Tell me.');
    for (let deltaCount = 0; deltaCount < 3;) {
      const { value } = await run.next();
      if (value && 'type' in value && value.type === 'text_delta') deltaCount += 1;
      if (deltaCount === 2) schedule.run();
    }
    await session.sync();
    const dead = await open();
    assert.equal(dead.isUnfinished, true);
    assert.deepEqual(dead.history, [
      { role: 'user', content: 'Tell me.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Once upon' }], stopReason: 'interrupted' },
    ]);
    await run.return(undefined as never);

    storage.files.clear();
    const second = await open();
    const busy = clientOf(second, [response([call]), textResponse('ok')]);
    for await (const event of second.run(busy, 'go')) {
      if (event.type !== 'tool_execution_start') continue;
      const [, , result] = (await open()).history;
      assert.equal(result?.role === 'tool' && result.content.content, OUTCOME_UNKNOWN);
    }
  });

  it('continues after a run that ended with an error', async () => {
    const session = await open();
    const broken = failure({ code: 'server_error', message: 'Out of memory.', status: 500 });
    const client = clientOf(session, [broken, textResponse('Here.')]);
    await record(session.run(client, 'Hello?'));
    assert.deepEqual(
      session.entries.slice(-2).map((entry) => (entry.type === 'error' ? [entry.code, entry.status] : entry.type)),
      [['server_error', 500], 'status_update'],
    );
    const after = await open();
    const next = clientOf(after, [textResponse('Here.')]);
    assert.equal((await record(after.continueRun(next))).result.primaryText, 'Here.');
    assert.deepEqual((await open()).history, next.history);
  });

  it('records the end of a run that throws', async () => {
    const session = await open();
    const client = clientOf(session, []);
    await assert.rejects(record(session.run(client, 'Hello?')), /No script is left/);
    assert.deepEqual((await typesOnFile()).slice(-2), ['error', 'status_update']);
    assert.deepEqual((await open()).history, client.history);
  });

  it('keeps the summary of a compaction instead of earlier messages', async () => {
    const session = await open();
    const long = Array.from({ length: 280 }, (_, line) => `Line ${line} of a long story.`).join('\n');
    const client = clientOf(session, [textResponse(long), textResponse('Summary.'), textResponse('Short.')], {
      tools: [],
      maxTokens: 100,
      compaction: { contextWindow: 2_048 },
    });
    await record(session.run(client, 'Tell me.'));
    const { events } = await record(session.run(client, 'Shorter, please.'));
    assert.ok(events.some(({ type }) => type === 'compaction'));
    assert.deepEqual((await open()).history, client.history);
  });

  it('records a change of the model once', async () => {
    const session = await open();
    await record(session.run(clientOf(session, [textResponse('a')]), 'one'));
    await record(session.run(clientOf(session, [textResponse('b')], { model: 'other' }), 'two'));
    await record(session.run(clientOf(session, [textResponse('c')], { model: 'other' }), 'three'));
    const epochs = session.entries.flatMap((entry) => (entry.type === 'epoch' ? [[entry.reason, entry.model]] : []));
    assert.deepEqual(epochs, [['resumed', 'other']]);
  });

  it('records no change when a program continues a session that a profile and an agent began', async () => {
    const session = await open();
    const target = clientOf(session, []).options;
    session.append({ type: 'system_message', workspace: null, ...target, profile: 'work', agent: 'reviewer' });
    await record(session.run(clientOf(session, [textResponse('a')]), 'one'));
    assert.deepEqual(
      session.entries.filter(({ type }) => type === 'epoch'),
      [],
    );
    await record(session.run(clientOf(session, [textResponse('b')], { model: 'other' }), 'two'));
    const [epoch] = session.entries.flatMap((entry) => (entry.type === 'epoch' ? [entry] : []));
    assert.deepEqual([epoch?.model, epoch?.profile, epoch?.agent], ['other', undefined, undefined]);
  });

  it('rejects a client with another history, and writes nothing', async () => {
    const session = await open();
    const { client } = scriptedClient([], { history: [{ role: 'user', content: 'something else' }] });
    await assert.rejects(record(session.run(client, 'go')), /history: session\.history/);
    assert.deepEqual(session.entries, []);
  });

  it('appends a given entry, and reports at its end what could not be written', async () => {
    const session = await open();
    session.append({ type: 'title', title: 'Sums' });
    assert.equal(await session.sync(), undefined);
    storage.fault = () => {
      throw new Error('The disk is full.');
    };
    session.append({ type: 'title', title: 'Lost' });
    assert.match(String(await session.sync()), /The disk is full/);
    await assert.rejects(session.close(), /\/sessions\/s\.jsonl: The disk is full/);
    storage.fault = undefined;
    assert.deepEqual(await typesOnFile(), ['title']);
  });
});
