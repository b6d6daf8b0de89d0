import assert from 'node:assert/strict';
import { emptyView, foldSession } from '../../../../src/agent/view/fold/foldSession';
import type { SessionEvent } from '../../../../src/agent/view/sessionEvents';
import type { SessionState, SessionView } from '../../../../src/agent/view/sessionView';
import { Attention, type AttentionSettings, type AttentionWindow } from '../../../../src/host/attention/attention';
import type { StatusText } from '../../../../src/host/attention/statusText';
import type { PanelBadge } from '../../../../src/host/panel/page/panelPage';
import { Emitter } from '../../../../src/util/emitter';
import { ManualSchedule } from '../../../support/manualSchedule';
import { FakeMcp } from '../../../support/servers/fakeMcp';

type Happening<T = SessionEvent> = T extends SessionEvent ? Omit<T, 'ts'> : never;

const fail = (error: unknown): never => assert.fail(String(error));

/** Sessions that tell events without running. */
class ToldSessions {
  readonly #changes = new Emitter<void>(fail);
  readonly #events = new Emitter<{ session: { id: string; view: SessionView }; event: SessionEvent }>(fail);
  readonly onChange = this.#changes.on;
  readonly onSessionEvent = this.#events.on;
  readonly openSessions: { id: string; view: SessionView }[] = [];
  now = 0;

  tell(id: string, happening: Happening): void {
    let session = this.openSessions.find((one) => one.id === id);
    if (!session) this.openSessions.push((session = { id, view: emptyView(id) }));
    const event = { ...happening, ts: this.now } as SessionEvent;
    session.view = foldSession(session.view, event);
    this.#events.emit({ session, event });
  }

  setState(id: string, state: SessionState): void {
    this.tell(id, { type: 'state_changed', state });
  }

  ask(id: string, callId: string): void {
    const start = { type: 'tool_use_start', block: 0, id: callId, name: 'run_terminal_command' } as const;
    this.tell(id, { type: 'agent', event: start });
    this.tell(id, {
      type: 'approval_requested',
      approval: {
        kind: 'command',
        requestId: `r ${callId}`,
        toolUseId: callId,
        reason: '',
        command: 'make',
        displayPath: '.',
      },
    });
    this.setState(id, 'waiting_for_approval');
  }

  answer(id: string, callId: string): void {
    this.tell(id, { type: 'approval_resolved', requestId: `r ${callId}`, toolUseId: callId, outcome: 'allowed' });
    this.setState(id, 'running');
  }
}

describe('Attention', () => {
  let sessions: ToldSessions;
  let schedule: ManualSchedule;
  let mcp: FakeMcp;
  let shown: string | undefined;
  let settings: AttentionSettings;
  let attention: Attention;
  let status: StatusText | undefined;
  let badge: PanelBadge | undefined;
  let notified: string[];
  let opened: string[];
  let wantsToSee: boolean;

  beforeEach(() => {
    sessions = new ToldSessions();
    schedule = new ManualSchedule();
    mcp = new FakeMcp();
    shown = undefined;
    settings = { badge: true, statusBar: true, questions: true, finished: true };
    notified = [];
    opened = [];
    wantsToSee = false;
    const window: AttentionWindow = {
      showStatus: (text) => (status = text),
      showBadge: (number) => (badge = number),
      notify: async (message) => {
        notified.push(message);
        return wantsToSee;
      },
    };
    attention = new Attention({
      registry: sessions,
      server: { state: { kind: 'unknown' }, selectedModel: 'coder', onChange: () => ({ dispose: () => undefined }) },
      mcp,
      window,
      settings: () => settings,
      isShown: (id) => id === shown,
      isActive: (id) => id === shown,
      showSession: async (id) => void opened.push(id),
      isPanelShown: () => shown !== undefined,
      showServers: async () => void opened.push('MCP servers'),
      setTimer: schedule.schedule,
      onInternalError: fail,
    });
  });
  afterEach(() => attention.dispose());

  /** Of the badge. */
  const hoverText = (): string | undefined => badge?.tooltip;

  function endRun(id: string, afterMs: number): void {
    sessions.setState(id, 'running');
    sessions.now += afterMs;
    sessions.setState(id, 'idle');
    schedule.run();
  }

  it('shows how many questions wait, at the view and in the status bar', () => {
    sessions.setState('a', 'running');
    sessions.ask('a', 'one');
    sessions.ask('a', 'two');
    assert.deepEqual(badge, { value: 2, tooltip: '2 commands wait for you' });
    assert.equal(status?.text, '$(bell-dot) coder: 2 commands wait for you');
    sessions.answer('a', 'one');
    assert.deepEqual(badge, { value: 1, tooltip: '1 command waits for you' });
    sessions.answer('a', 'two');
    assert.equal(badge, undefined);
    assert.equal(status?.text, '$(loading~spin) coder: running a tool');
  });

  it('tells each question once, those that come together in one notification', async () => {
    sessions.setState('a', 'running');
    sessions.ask('a', 'one');
    sessions.ask('a', 'two');
    schedule.run();
    sessions.tell('a', { type: 'titled', title: 'New title' });
    schedule.run();
    assert.deepEqual(notified, ['Open Agent waits for your decision: 2 commands.']);
    sessions.ask('a', 'three');
    schedule.run();
    assert.deepEqual(notified.slice(1), ['Open Agent waits for your decision: 1 command.']);
  });

  it('leads to the session', async () => {
    wantsToSee = true;
    sessions.setState('a', 'running');
    sessions.ask('a', 'one');
    schedule.run();
    await new Promise(setImmediate);
    assert.deepEqual(opened, ['a']);
  });

  it('does not notify about the session that the person sees, nor about an answered question', () => {
    shown = 'a';
    sessions.setState('a', 'running');
    sessions.ask('a', 'one');
    sessions.setState('b', 'running');
    sessions.ask('b', 'two');
    sessions.answer('b', 'two');
    schedule.run();
    assert.deepEqual(notified, []);
    assert.equal(badge?.value, 1);
  });

  it('lists the questions of the session on screen first', () => {
    sessions.setState('a', 'running');
    sessions.ask('a', 'one');
    sessions.setState('b', 'running');
    sessions.ask('b', 'two');
    shown = 'b';
    sessions.tell('b', { type: 'titled', title: 'B' });
    assert.deepEqual(
      attention.questions.map(({ sessionId }) => sessionId),
      ['b', 'a'],
    );
  });

  it('counts an error until the next run, and no error of an earlier window', () => {
    const failed = { id: 'n', severity: 'error', message: 'Gone.', actions: ['retry'] } as const;
    sessions.tell('old', { type: 'notice', notice: failed });
    assert.equal(badge, undefined);
    sessions.setState('a', 'running');
    sessions.tell('a', { type: 'notice', notice: failed });
    sessions.setState('a', 'idle');
    schedule.run();
    assert.deepEqual([hoverText(), notified], ['1 error waits for you', ['Open Agent has stopped with an error.']]);
    sessions.tell('a', { type: 'notice_dismissed', id: 'n' });
    assert.equal(badge, undefined);
  });

  describe('of MCP servers that need consent', () => {
    const serverOf = (name: string, isRefused = false) =>
      ({ name, state: { kind: 'needs_consent', isRefused } }) as (typeof mcp.summaries)[number];

    it('counts all except refused ones', () => {
      mcp.change([serverOf('new'), serverOf('refused', true)]);
      assert.deepEqual(badge, { value: 1, tooltip: '1 MCP server waits for you' });
    });

    it('tells once of all together, and leads to the list of servers', async () => {
      wantsToSee = true;
      mcp.change([serverOf('new'), serverOf('refused', true), serverOf('other')]);
      schedule.run();
      mcp.change([serverOf('new'), serverOf('refused', true), serverOf('other')]);
      schedule.run();
      assert.deepEqual(notified, ['Open Agent waits for your decision: 2 MCP servers.']);
      await new Promise(setImmediate);
      assert.deepEqual(opened, ['MCP servers']);
    });

    it('says nothing while the person sees a panel, of an allowed server, and when it is switched off', () => {
      shown = 'a';
      mcp.change([serverOf('seen')]);
      schedule.run();
      shown = undefined;
      mcp.change([serverOf('seen')]);
      schedule.run();
      mcp.change([serverOf('answered')]);
      mcp.change([]);
      schedule.run();
      settings = { ...settings, questions: false };
      mcp.change([serverOf('new')]);
      schedule.run();
      assert.deepEqual(notified, []);
    });
  });

  it('tells the end of a run of more than a minute that the person does not see', () => {
    endRun('a', 60_000);
    assert.deepEqual(notified, []);
    endRun('a', 60_001);
    assert.deepEqual(notified, ['Open Agent has finished.']);
    shown = 'a';
    endRun('a', 99_000);
    assert.equal(notified.length, 1);
  });

  it('says nothing about the end of a run that the person stopped', () => {
    sessions.setState('a', 'running');
    sessions.now += 99_000;
    sessions.setState('a', 'stopping');
    sessions.setState('a', 'idle');
    assert.deepEqual(notified, []);
  });

  it('does only what the settings allow', () => {
    settings = { badge: false, statusBar: false, questions: false, finished: false };
    sessions.setState('a', 'running');
    sessions.ask('a', 'one');
    schedule.run();
    sessions.answer('a', 'one');
    endRun('a', 99_000);
    assert.deepEqual([badge, status, notified], [undefined, undefined, []]);
    settings = { ...settings, statusBar: true };
    attention.show();
    assert.equal(status?.text, '$(robot) coder');
  });

  it('changes the status bar at most twice a second while an answer streams', () => {
    sessions.setState('a', 'running');
    for (let piece = 0; piece < 50; piece++)
      sessions.tell('a', { type: 'agent', event: { type: 'text_delta', block: 0, text: 'word' } });
    assert.deepEqual(schedule.delays, [500]);
  });
});
