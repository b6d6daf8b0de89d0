import assert from 'node:assert/strict';
import type { PreToolUseHook } from '../../../../src/sdk/hooks';
import { openSession } from '../../../../src/sdk/session/openSession';
import type { Session } from '../../../../src/sdk/session/session';
import { contentToText, tool } from '../../../../src/sdk/tool';
import type { WaitingAnswer } from '../../../../src/sdk/waiting/waitingAnswers';
import type { WaitingRun } from '../../../../src/sdk/waiting/waitingRun';
import { ManualSchedule } from '../../../support/manualSchedule';
import { response, textResponse, toolUse, type Script } from '../../../support/servers/scriptedProvider';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { MemoryLogStorage } from '../../../support/sessions/memoryLogStorage';

const path = '/sessions/s.jsonl';
const calls = response([toolUse('c1', 'look'), toolUse('c2', 'pay', { amount: 3 }), toolUse('c3', 'look')]);

describe('a session with a run that waits', () => {
  const storage = new MemoryLogStorage();
  const paid: number[] = [];
  const tools = [
    tool('look', 'Look', {}, () => 'Seen.'),
    tool('pay', 'Pay', { amount: 'number' }, ({ amount }) => {
      paid.push(amount);
      return `Paid ${amount}.`;
    }),
  ];
  const approvalHook: PreToolUseHook = ({ toolName }) => (toolName === 'pay' ? { action: 'wait' } : undefined);

  beforeEach(() => {
    storage.files.clear();
    paid.length = 0;
  });

  function open(): Promise<Session> {
    let count = storage.text(path).split('\n').length;
    const { schedule } = new ManualSchedule();
    return openSession(path, { storage, now: () => 0, newId: () => `e${count++}`, setTimer: schedule });
  }

  const clientOf = (...scripts: readonly Script[]) => scriptedClient(scripts, { tools, approvalHook }).client;

  /** Runs until it waits, as a process that ends then. */
  async function saved(): Promise<string> {
    const session = await open();
    const { result } = await record(session.run(clientOf(calls), 'Pay 3.'));
    await session.close();
    assert.equal(result.outcome, 'waiting');
    return JSON.stringify(result.waiting);
  }

  const answersOf = (text: string, action: 'allow' | 'deny'): readonly WaitingAnswer[] =>
    (JSON.parse(text) as WaitingRun).calls.map(({ toolUseId, planHash }) =>
      action === 'allow' ? { action, toolUseId, planHash } : { action, toolUseId },
    );

  for (const action of ['allow', 'deny'] as const) {
    it(`records the run that is resumed in another process with the answer ${action}`, async () => {
      const text = await saved();
      const session = await open();
      const client = clientOf(textResponse('Done.'));
      const { result } = await record(session.resumeRun(client, text, answersOf(text, action)));
      assert.deepEqual([result.outcome, paid], ['completed', action === 'allow' ? [3] : []]);
      await session.close();
      const again = await open();
      assert.deepEqual(again.history, client.history);
      assert.deepEqual(
        again.history.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'tool', 'tool', 'assistant'],
      );
      assert.equal(again.isUnfinished, false);
      const next = scriptedClient([textResponse('Bye.')], { tools, history: again.history }).client;
      await record(again.run(next, 'Bye!'));
      assert.deepEqual((await open()).history, next.history);
    });
  }

  it('records a run that waits again, and its second answer', async () => {
    const text = await saved();
    const first = await open();
    const { result } = await record(first.resumeRun(clientOf(), text));
    await first.close();
    assert.equal(result.outcome, 'waiting');
    const second = await open();
    const client = clientOf(textResponse('Done.'));
    const again = JSON.stringify(result.waiting);
    await record(second.resumeRun(client, again, answersOf(again, 'allow')));
    assert.deepEqual([paid, (await open()).history], [[3], client.history]);
  });

  it('marks a call as unknown when the process died while it ran, after the run was resumed', async () => {
    const text = await saved();
    const session = await open();
    for await (const event of session.resumeRun(clientOf(), text, answersOf(text, 'allow'))) {
      if (event.type === 'tool_execution_start' && event.toolUseId === 'c2') break;
    }
    // What a killed process leaves: the intent is the last line.
    const lines = storage.text(path).split('\n');
    const intent = lines.findLastIndex((line) => line.includes('"type":"tool_call"') && line.includes('"c2"'));
    storage.files.set(path, Buffer.from(`${lines.slice(0, intent + 1).join('\n')}\n`));
    const left = await open();
    assert.equal(left.isUnfinished, true);
    const results = left.history.flatMap((message) =>
      message.role === 'tool' ? [contentToText(message.content.content)] : [],
    );
    assert.equal(results[0], 'Seen.');
    assert.match(results[1] ?? '', /outcome of this call is unknown/);
    assert.match(results[2] ?? '', /was not run/);
  });

  it('goes on with another prompt instead, as the client does', async () => {
    const session = await open();
    const client = clientOf(calls, textResponse('Never mind.'));
    await record(session.run(client, 'Pay 3.'));
    await record(session.run(client, 'Leave it.'));
    assert.deepEqual([paid, (await open()).history], [[], client.history]);
  });

  it('refuses a run of another conversation, or of an earlier state of this one, and writes nothing', async () => {
    const text = await saved();
    const session = await open();
    const other = text.replace('Pay 3.', 'Pay 300.');
    const before = storage.text(path);
    await assert.rejects(record(session.resumeRun(clientOf(), other)), { code: 'invalid_state' });
    await assert.rejects(record(session.resumeRun(clientOf(), '{}')), { code: 'invalid_options' });
    assert.equal(storage.text(path), before);
    await record(session.resumeRun(clientOf(textResponse('Done.')), text, answersOf(text, 'allow')));
    await assert.rejects(record(session.resumeRun(clientOf(), text, answersOf(text, 'allow'))), {
      code: 'invalid_state',
    });
    assert.deepEqual(paid, [3]);
  });
});
