import assert from 'node:assert/strict';
import type { SessionEvent } from '../../src/agent/view/sessionEvents';
import { PanelStore } from '../../src/webview/state/panelStore';
import { answer, sessionId, view } from './support/sessions';
import { readyPanel } from './support/webviewPage';

describe('the drawing of what the host sends', () => {
  const realNow = performance.now;
  let now: number;
  let frames: (() => void)[];
  let drawings: number;
  let seq: number;
  let store: PanelStore;

  beforeEach(() => {
    [now, frames, drawings, seq] = [1_000, [], 0, 0];
    performance.now = () => now;
    const host = { post: () => {}, load: () => undefined, save: () => {} };
    store = new PanelStore({ host, onNextFrame: (task) => void frames.push(task) });
    const panel = { ...readyPanel, activeSessionId: sessionId };
    store.receive({ type: 'snapshot', seq: (seq += 1), panel, session: view([answer('A')]), draft: '' });
    store.subscribe(() => (drawings += 1));
    frame();
  });

  afterEach(() => {
    performance.now = realNow;
  });

  const frame = (): void => {
    now += 16;
    for (const task of frames.splice(0)) task();
  };
  const receive = (...events: SessionEvent[]): void =>
    store.receive({ type: 'session_events', seq: (seq += 1), sessionId, events });
  const growth = { type: 'agent', event: { type: 'text_delta', block: 0, text: 'b' }, ts: 0 } as const;

  it('waits for the next frame', () => {
    assert.deepEqual([drawings, frames.length], [1, 0]);
    receive({ type: 'agent', event: { type: 'step_start', step: 1 }, ts: 0 });
    assert.equal(drawings, 1);
    frame();
    assert.equal(drawings, 2);
  });

  it('is skipped in two of three frames while nothing but a text grows in each', () => {
    for (let index = 0; index < 30; index += 1) {
      receive(growth);
      frame();
    }
    assert.equal(drawings, 1 + 10);
    while (frames.length > 0) frame();
    assert.equal(drawings, 1 + 10);
  });

  it('is not skipped for a text that grows as seldom as the host sends it', () => {
    for (let index = 0; index < 10; index += 1) {
      now += 50;
      receive(growth);
      frame();
    }
    assert.equal(drawings, 1 + 10);
  });

  it('is not skipped for anything else, also beside a growing text that waits', () => {
    receive(growth);
    frame();
    receive(growth);
    receive({ type: 'agent', event: { type: 'step_start', step: 2 }, ts: 0 });
    const before = drawings;
    frame();
    assert.equal(drawings, before + 1);
    assert.equal(frames.length, 0);
  });
});
