import assert from 'node:assert/strict';
import { emptyView } from '../../src/agent/view/fold/foldSession';
import type { SessionEvent } from '../../src/agent/view/sessionEvents';
import type { ViewItem } from '../../src/agent/view/sessionView';
import { initialState, receive, type WebviewState } from '../../src/webview/state/webviewState';
import { prompt, sessionId, view } from './support/sessions';
import { readyPanel } from './support/webviewPage';

const panel = { ...readyPanel, activeSessionId: sessionId };
const added = (text: string, ts = 1000): SessionEvent => ({
  type: 'prompt_added',
  id: 'prompt-1',
  text,
  contextLabels: [],
  ts,
});
const synced = (rest: Partial<WebviewState> = {}): WebviewState => ({
  ...initialState,
  panel,
  session: emptyView(sessionId),
  lastSeq: 4,
  ...rest,
});

describe('the state of the panel', () => {
  it('ignores everything until the first snapshot', () => {
    assert.equal(receive(initialState, { type: 'panel_changed', seq: 1, panel }, 0), initialState);
  });

  it('accepts a snapshot with any number', () => {
    const session = view([prompt('Hello')]);
    const state = receive(
      { ...synced(), isOutOfSync: true },
      { type: 'snapshot', seq: 40, panel, session, draft: 'host' },
      0,
    );
    assert.deepEqual([state.session, state.lastSeq, state.isOutOfSync], [session, 40, false]);
  });

  it('uses the draft of the first snapshot and keeps later typing', () => {
    const first = receive(initialState, { type: 'snapshot', seq: 1, panel, draft: 'kept' }, 0);
    assert.equal(first.draft, 'kept');
    const second = receive({ ...first, draft: 'kept and more' }, { type: 'snapshot', seq: 2, panel, draft: 'kept' }, 0);
    assert.equal(second.draft, 'kept and more');
  });

  it('uses the draft of the earlier page if the host has lost it, unless it arrived as a prompt', () => {
    const told = { ...initialState, toldDraft: 'typed last' };
    const draftAfter = (draft: string, ...items: readonly ViewItem[]): string =>
      receive(told, { type: 'snapshot', seq: 1, panel, session: view(items), draft }, 0).draft;
    assert.deepEqual(
      [draftAfter(''), draftAfter('newer'), draftAfter('', prompt('typed last')), draftAfter('', prompt('other'))],
      ['typed last', 'newer', '', 'typed last'],
    );
    const unsent = { ...initialState, draft: 'Fix it' };
    const session = view([prompt('Fix it')]);
    assert.equal(receive(unsent, { type: 'snapshot', seq: 1, panel, session, draft: '' }, 0).draft, '');
  });

  it('is out of sync after a gap and ignores facts until the snapshot', () => {
    const gap = receive(synced(), { type: 'session_events', seq: 6, sessionId, events: [added('lost')] }, 0);
    assert.deepEqual(gap, { ...synced(), isOutOfSync: true });
    assert.equal(receive(gap, { type: 'session_events', seq: 5, sessionId, events: [added('late')] }, 0), gap);
  });

  it('ignores events of another session but counts them', () => {
    const state = receive(synced(), { type: 'session_events', seq: 5, sessionId: 'other', events: [added('x')] }, 0);
    assert.deepEqual(state, synced({ lastSeq: 5 }));
  });

  it('starts a new session with its first event', () => {
    const { session: _none, ...rest } = synced();
    const state = receive(rest, { type: 'session_events', seq: 5, sessionId, events: [added('Hello')] }, 3000);
    assert.deepEqual(
      state.session?.items.map((item) => item.kind),
      ['prompt'],
    );
    assert.equal(state.clockOffsetMs, 2000);
  });

  it('asks for a snapshot when another session comes on screen', () => {
    const other = { ...panel, activeSessionId: 'session-2' };
    assert.equal(receive(synced(), { type: 'panel_changed', seq: 5, panel: other }, 0).isOutOfSync, true);
  });

  it('shows an empty session after the session is closed', () => {
    const { activeSessionId: _none, ...none } = panel;
    assert.equal(receive(synced(), { type: 'panel_changed', seq: 5, panel: none }, 0).session, undefined);
  });

  describe('keeps typed text', () => {
    const pending = synced({ draft: 'Fix it\n', pendingPrompt: 'Fix it' });

    it('until the session shows it', () => {
      const other = receive(pending, { type: 'session_events', seq: 5, sessionId, events: [added('Another')] }, 0);
      assert.deepEqual([other.draft, other.pendingPrompt], ['Fix it\n', 'Fix it']);
      const arrived = receive(pending, { type: 'session_events', seq: 5, sessionId, events: [added('Fix it')] }, 0);
      assert.deepEqual([arrived.draft, arrived.pendingPrompt], ['', undefined]);
    });

    it('when the host returns it, with the reason', () => {
      const back = receive(pending, { type: 'prompt_returned', seq: 5, text: 'Fix it', message: 'No server.' }, 0);
      assert.deepEqual(
        [back.draft, back.pendingPrompt, back.returnedMessage, back.lastSeq],
        ['Fix it\n', undefined, 'No server.', 5],
      );
    });

    it('when the host returns it after a gap, above newer text', () => {
      const state = synced({ draft: 'next thought' });
      const back = receive(state, { type: 'prompt_returned', seq: 9, text: 'Fix it', message: 'No server.' }, 0);
      assert.deepEqual([back.draft, back.isOutOfSync], ['Fix it\n\nnext thought', true]);
    });

    it('after a snapshot without it, and not after a snapshot with it', () => {
      const without = receive(pending, { type: 'snapshot', seq: 9, panel, session: view([]), draft: '' }, 0);
      assert.deepEqual([without.draft, without.pendingPrompt], ['Fix it\n', undefined]);
      const session = view([prompt('Fix it')]);
      const withIt = receive(pending, { type: 'snapshot', seq: 9, panel, session, draft: 'Fix it' }, 0);
      assert.deepEqual([withIt.draft, withIt.pendingPrompt], ['', undefined]);
    });
  });
});
