import assert from 'node:assert/strict';
import { DeltaJoiner } from '../../../../src/endpoint/chat/joinDeltas';
import type { ReplyPart } from '../../../../src/endpoint/chat/reply';

const text = (value: string): ReplyPart => ({ type: 'text', text: value });
const thinking = (value: string): ReplyPart => ({ type: 'thinking', text: value });
const tool: ReplyPart = { type: 'tool', tool: { id: 'c1', name: 'f', state: 'started' } };

describe('joining small deltas', () => {
  let written: ReplyPart[];
  let due: (() => void) | undefined;
  let joiner: DeltaJoiner;

  beforeEach(() => {
    written = [];
    due = undefined;
    joiner = new DeltaJoiner({
      write: (part) => written.push(part),
      setTimer: (run) => {
        due = run;
        return { dispose: () => (due = undefined) };
      },
    });
  });

  it('sends what came together as one, when its time has come', () => {
    for (const piece of ['a', 'b', 'c']) joiner.add(text(piece));
    assert.deepEqual(written, []);
    due?.();
    assert.deepEqual(written, [text('abc')]);
    joiner.add(text('d'));
    due?.();
    assert.deepEqual(written, [text('abc'), text('d')]);
  });

  it('keeps kinds apart and everything in order', () => {
    for (const part of [thinking('a'), thinking('b'), text('c'), tool, text('d')]) joiner.add(part);
    joiner.flush();
    assert.deepEqual(written, [thinking('ab'), text('c'), tool, text('d')]);
    assert.equal(due, undefined);
  });

  it('lets no more wait than a screenful', () => {
    joiner.add(text('x'.repeat(1_000)));
    assert.deepEqual(written, [text('x'.repeat(1_000))]);
  });
});
