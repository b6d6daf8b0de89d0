import assert from 'node:assert/strict';
import { hold, textResponse } from '../../../support/servers/scriptedProvider';
import { FakePanel } from '../../../support/panel/fakePanel';
import { soon, usePanelWindow } from '../../../support/panel/panelWindow';

describe('PanelController and its page', () => {
  const opened = usePanelWindow();

  it('sends nothing before the page is ready, then everything', async () => {
    const panel = new FakePanel(opened.controller);
    opened.controller.stateChanged();
    assert.equal(panel.heard.length, 0);
    panel.send({ type: 'ready' });
    await soon(() => panel.heard.length > 0);
    assert.equal(panel.heard[0]?.type, 'snapshot');
    assert.deepEqual([panel.state.session, panel.state.draft], [undefined, '']);
  });

  it('does not look up the state around the conversation for a page that is not ready', async () => {
    const panel = new FakePanel(opened.controller);
    await opened.controller.settled();
    const before = opened.settingReads;
    opened.controller.stateChanged();
    assert.equal(opened.settingReads, before);
    panel.send({ type: 'ready' });
    await soon(() => panel.heard.length > 0);
    assert.equal(opened.settingReads > before, true);
  });

  it('tells key bindings that it has the focus, until the page loses it or is gone', async () => {
    const panel = await opened.readyPanel();
    panel.send({ type: 'focusChanged', isFocused: true });
    assert.equal(opened.isFocused, true);
    panel.send({ type: 'focusChanged', isFocused: false });
    assert.equal(opened.isFocused, false);
    panel.send({ type: 'focusChanged', isFocused: true });
    panel.hide();
    assert.equal(opened.isFocused, false);
  });

  it('numbers its messages without a gap', async () => {
    const panel = await opened.readyPanel();
    await opened.converse(panel, 'Hi', textResponse('Hello!'));
    const first = panel.heard[0]?.seq ?? 0;
    assert.deepEqual(
      panel.heard.map(({ seq }) => seq),
      panel.heard.map((_, index) => first + index),
    );
    assert.equal(panel.state.isOutOfSync, false);
  });

  it('keeps the conversation while the panel is hidden, and sends all of it when shown again', async () => {
    const gate = hold();
    opened.provider.add([{ type: 'text_delta', block: 0, text: 'Hel' }, gate, ...textResponse('Hello!').slice(1)]);
    const panel = await opened.readyPanel();
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await gate.reached;
    await soon(() => {
      opened.schedule.run();
      return panel.lines.length === 2;
    });
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hel']);
    panel.hide();
    const heardBefore = panel.heard.length;
    gate.release();
    await (await opened.active()).whenIdle();
    opened.schedule.run();
    assert.equal(panel.heard.length, heardBefore);
    panel.send({ type: 'ready' });
    await soon(() => panel.heard.length > heardBefore);
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
  });

  it('goes on with a new webview after the view was moved', async () => {
    const old = await opened.readyPanel();
    await opened.converse(old, 'Hi', textResponse('Hello!'));
    old.close();
    const panel = await opened.readyPanel();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
    old.send({ type: 'newSession' });
    await opened.controller.settled();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
  });

  it('opens the last session and keeps the draft when the window comes back', async () => {
    const before = await opened.readyPanel();
    await opened.converse(before, 'Hi', textResponse('Hello!'));
    before.send({ type: 'saveDraft', text: 'half a thou' });
    await opened.closeWindow();
    opened.openWindow();
    const panel = await opened.readyPanel();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
    assert.equal(panel.state.draft, 'half a thou');
  });

  it('starts empty when the last session is gone', async () => {
    await opened.closeWindow();
    await opened.memory.update('openAgent.activeSession', 'deleted');
    opened.openWindow();
    const panel = await opened.readyPanel();
    assert.equal(panel.state.session, undefined);
    assert.equal(opened.warnings.length, 1);
  });

  it('focuses the composer as soon as it exists', async () => {
    const panel = new FakePanel(opened.controller);
    opened.controller.focusComposer();
    panel.send({ type: 'ready' });
    await soon(() => panel.state.focusRequests === 1);
    opened.controller.focusComposer();
    assert.equal(panel.state.focusRequests, 2);
  });

  it('carries out window actions for the panel', async () => {
    const panel = await opened.readyPanel();
    panel.send({ type: 'openFile', path: 'a.ts', line: 3 });
    panel.send({ type: 'openLink', href: 'https://example.org', text: 'here' });
    panel.send({ type: 'copyText', text: 'An answer.' });
    panel.send({ type: 'runCommand', command: 'showLog' });
    panel.send({ type: 'useCode', sessionId: 's', use: 'apply', code: 'x', language: 'js', path: 'a.js' });
    assert.deepEqual(opened.did, [
      'open a.ts:3',
      'link here https://example.org',
      'copy An answer.',
      'run showLog',
      'apply x a.js',
    ]);
  });

  it('drops and logs unknown messages', async () => {
    const panel = await opened.readyPanel();
    const heardBefore = panel.heard.length;
    for (const message of [undefined, 'x', { type: 'runCommand', command: 'rm' }]) panel.sendAnything(message);
    assert.equal(opened.warnings.length, 3);
    assert.equal(panel.heard.length, heardBefore);
    assert.deepEqual(opened.did, []);
  });
});
