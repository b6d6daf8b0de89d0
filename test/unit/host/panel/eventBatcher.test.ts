import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/sdk/events';
import type { SessionEvent } from '../../../../src/agent/view/sessionEvents';
import { EventBatcher } from '../../../../src/host/panel/eventBatcher';
import { ManualSchedule } from '../../../support/manualSchedule';

const agent = (event: AgentEvent, ts: number): SessionEvent => ({ type: 'agent', event, ts });
const text = (words: string, ts: number, block = 0): SessionEvent =>
  agent({ type: 'text_delta', block, text: words }, ts);

describe('EventBatcher', () => {
  let schedule: ManualSchedule;
  let delivered: (readonly SessionEvent[])[];
  let batcher: EventBatcher;

  beforeEach(() => {
    schedule = new ManualSchedule();
    delivered = [];
    batcher = new EventBatcher({
      schedule: schedule.schedule,
      deliver: (events) => void delivered.push(events),
    });
  });

  it('delivers the events of 50 ms together', () => {
    const first: SessionEvent = { type: 'state_changed', state: 'running', ts: 1 };
    const second: SessionEvent = { type: 'titled', title: 'T', ts: 2 };
    batcher.push(first);
    batcher.push(second);
    assert.deepEqual(delivered, []);
    assert.deepEqual(schedule.delays, [50]);
    schedule.run();
    assert.deepEqual(delivered, [[first, second]]);
  });

  it('joins only neighbouring deltas of one block', () => {
    const usage = agent({ type: 'usage', usage: { promptTokens: 1, completionTokens: 1 } }, 4);
    for (const event of [text('a', 1), text('b', 2), text('c', 3, 1), usage, text('d', 5, 1)]) batcher.push(event);
    batcher.flush();
    assert.deepEqual(delivered, [[text('ab', 2), text('c', 3, 1), usage, text('d', 5, 1)]]);
  });

  it('joins thoughts, arguments and output in the same way', () => {
    const thought = (words: string): SessionEvent => agent({ type: 'thinking_delta', block: 0, text: words }, 1);
    const args = (id: string, argumentsDelta: string): SessionEvent =>
      agent({ type: 'tool_use_delta', block: 1, id, argumentsDelta }, 1);
    const output = (toolUseId: string, words: string): SessionEvent =>
      agent({ type: 'tool_execution_progress', toolUseId, output: words }, 1);
    const events = [
      ...[thought('x'), thought('y'), args('a', '{'), args('a', '}'), args('b', '{')],
      ...[output('a', '1'), output('a', '2'), output('b', '3')],
    ];
    for (const event of events) batcher.push(event);
    batcher.flush();
    assert.deepEqual(delivered, [
      [thought('xy'), args('a', '{}'), args('b', '{'), output('a', '12'), output('b', '3')],
    ]);
  });

  it('drops waiting events on clear', () => {
    batcher.push(text('a', 1));
    batcher.clear();
    schedule.run();
    batcher.flush();
    assert.deepEqual(delivered, []);
  });
});
