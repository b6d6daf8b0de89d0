import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/sdk/events';
import { WritingSpeed } from '../../../../src/host/attention/writingSpeed';

describe('WritingSpeed', () => {
  const at = (ts: number, event: AgentEvent) => ({ type: 'agent', event, ts }) as const;
  const word = (ts: number) => at(ts, { type: 'text_delta', block: 0, text: 'word' });

  it('counts what was written per second, from the first piece on', () => {
    const speed = new WritingSpeed();
    for (let ts = 0; ts <= 2_000; ts += 50) speed.add(word(ts));
    assert.equal(speed.tokensPerSecond, 20);
  });

  it('knows no speed before a second has passed, nor between two responses', () => {
    const speed = new WritingSpeed();
    speed.add(word(0));
    speed.add(word(900));
    assert.equal(speed.tokensPerSecond, undefined);
    speed.add(word(1_000));
    assert.equal(speed.tokensPerSecond, 2);
    speed.add(at(1_100, { type: 'step_start', step: 2 }));
    assert.equal(speed.tokensPerSecond, undefined);
  });
});
