import assert from 'node:assert/strict';
import { DeltaJoiner } from '../../../../src/endpoint/chat/joinDeltas';
import type { ReplyPart } from '../../../../src/endpoint/chat/reply';
import { ManualSchedule } from '../../../support/manualSchedule';

const text = (value: string): ReplyPart => ({ type: 'text', text: value });
const thinking = (value: string): ReplyPart => ({ type: 'thinking', text: value });
const tool: ReplyPart = { type: 'tool', tool: { id: 'c1', name: 'f', state: 'started' } };

describe('joining small deltas', () => {
  let written: ReplyPart[];
  let schedule: ManualSchedule;
  let joiner: DeltaJoiner;

  beforeEach(() => {
    written = [];
    schedule = new ManualSchedule();
    joiner = new DeltaJoiner({
      write: (part) => written.push(part),
      setTimer: (run) => schedule.schedule(run, 0),
    });
  });

  it('sends joined pieces after a moment', () => {
    for (const piece of ['a', 'b', 'c']) joiner.add(text(piece));
    assert.deepEqual(written, []);
    schedule.run();
    assert.deepEqual(written, [text('abc')]);
    joiner.add(text('d'));
    schedule.run();
    assert.deepEqual(written, [text('abc'), text('d')]);
  });

  it('keeps kinds apart and the order', () => {
    for (const part of [thinking('a'), thinking('b'), text('c'), tool, text('d')]) joiner.add(part);
    joiner.flush();
    assert.deepEqual(written, [thinking('ab'), text('c'), tool, text('d')]);
    assert.deepEqual(schedule.delays, []);
  });

  it('sends at once when the joined text is long', () => {
    joiner.add(text('x'.repeat(1_000)));
    assert.deepEqual(written, [text('x'.repeat(1_000))]);
  });
});
