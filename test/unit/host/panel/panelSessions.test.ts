import assert from 'node:assert/strict';
import type { PanelController } from '../../../../src/host/panel/panelController';
import { hold, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { outline } from '../../../support/sessions/sessions';
import { FakePanel } from '../../../support/panel/fakePanel';
import { soon, usePanelWindow } from '../../../support/panel/panelWindow';

describe('PanelController with sessions', () => {
  const opened = usePanelWindow();

  it('switches between sessions', async () => {
    const panel = await opened.readyPanel();
    await opened.converse(panel, 'First', textResponse('One.'));
    const firstId = panel.state.session?.sessionId ?? '';
    panel.send({ type: 'newSession' });
    await soon(() => panel.state.session === undefined);
    await opened.converse(panel, 'Second', textResponse('Two.'));
    assert.deepEqual(panel.lines, ['prompt: Second', 'text: Two.']);
    panel.send({ type: 'openSession', sessionId: firstId });
    await soon(() => panel.state.session?.sessionId === firstId);
    assert.deepEqual(panel.lines, ['prompt: First', 'text: One.']);
  });

  it('lets a session run on in the background and shows only the one on screen', async () => {
    const gate = hold();
    opened.provider.add([gate, ...textResponse('Late.')]);
    const panel = await opened.readyPanel();
    panel.send({ type: 'submitPrompt', text: 'Slow' });
    await gate.reached;
    const behind = await opened.active();
    panel.send({ type: 'newSession' });
    await soon(() => panel.state.session === undefined);
    assert.equal(opened.isRunning, false);
    gate.release();
    await behind.whenIdle();
    opened.schedule.run();
    assert.equal(panel.state.session, undefined);
    assert.deepEqual(outline(behind.view), ['prompt: Slow', 'text: Late.']);
  });

  it('goes back to a message, and returns its text to the composer when the conversation goes back', async () => {
    const panel = await opened.readyPanel();
    opened.provider.add(textResponse('Hello.'));
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await soon(() => opened.did.length === 0 && opened.provider.requests.length === 1);
    const session = await opened.active();
    await session.whenIdle();
    const promptId = session.view.items[0]?.id ?? '';
    panel.send({ type: 'restoreTo', sessionId: session.id, promptId });
    await soon(() => opened.did.length === 1);
    assert.equal(panel.state.draft, '');

    opened.wordsThatComeBack = 'Hi';
    panel.send({ type: 'restoreTo', sessionId: session.id, promptId });
    await soon(() => panel.state.focusRequests === 1);
    assert.equal(panel.state.draft, 'Hi');
    panel.send({ type: 'undoRestore', sessionId: session.id, noticeId: 'n' });
    await soon(() => opened.did.length === 3);
    const restore = `restore ${session.id} ${promptId}`;
    panel.send({ type: 'reviewRun', sessionId: session.id, promptId });
    await soon(() => opened.did.length === 5);
    panel.send({ type: 'undoRun', sessionId: session.id, promptId });
    await soon(() => opened.did.length === 6);
    assert.deepEqual(opened.did, [
      restore,
      restore,
      `undo ${session.id} n`,
      `changes ${session.id} ${promptId}`,
      'review 0 files',
      `undo run ${session.id} ${promptId}`,
    ]);
  });

  it('makes an answer again, unless the person does not want to go back', async () => {
    const panel = await opened.readyPanel();
    opened.provider.add(textResponse('Hello.'), textResponse('Hello again.'));
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await soon(() => opened.did.length === 0 && opened.provider.requests.length === 1);
    const session = await opened.active();
    await session.whenIdle();
    const promptId = session.view.items[0]?.id ?? '';
    opened.goesBack = false;
    panel.send({ type: 'regenerate', sessionId: session.id, promptId });
    await soon(() => panel.state.focusRequests === 1);
    assert.equal(opened.provider.requests.length, 1);
    opened.goesBack = true;
    panel.send({ type: 'regenerate', sessionId: session.id, promptId });
    await soon(() => panel.state.focusRequests === 2);
    await session.whenIdle();
    assert.equal(opened.provider.requests.length, 2);
  });

  describe('in a tab of the editors', () => {
    const reveal = async (): Promise<void> => void opened.revealed.push('tab');

    async function openTab(id: string, sessionId?: string): Promise<{ tab: FakePanel; chat: PanelController }> {
      const chat = await opened.panels.openTab(id, reveal, sessionId);
      const tab = new FakePanel(chat);
      tab.send({ type: 'ready' });
      await soon(() => tab.state.panel !== undefined);
      return { tab, chat };
    }

    it('shows one session in two places, with the same events, and answers questions from either', async () => {
      const side = await opened.readyPanel();
      await opened.converse(side, 'One', textResponse('First.'));
      const { id } = await opened.active();
      const { tab } = await openTab('t', id);
      assert.deepEqual([tab.lines, tab.title], [side.lines, 'One']);

      opened.provider.add(response([toolUse('t', 'run', { command: 'ls' })]), textResponse('Second.'));
      tab.send({ type: 'submitPrompt', sessionId: id, text: 'Two' });
      const session = await opened.registry.open(id);
      await soon(() => session.view.items.some((item) => item.kind === 'tool' && item.approval !== undefined));
      opened.schedule.run();
      const asked = side.state.session?.items.find((item) => item.kind === 'tool');
      assert.ok(asked?.kind === 'tool' && asked.approval);
      side.send({ type: 'approve', requestId: asked.approval.requestId, sessionId: id });
      await soon(() => session.view.state === 'idle');
      opened.schedule.run();
      assert.deepEqual(opened.ran, ['ls']);
      assert.deepEqual(tab.lines, side.lines);
      assert.equal(tab.lines.at(-1), 'text: Second.');
    });

    it('keeps a session open while one of the chats shows it', async () => {
      const side = await opened.readyPanel();
      await opened.converse(side, 'One', textResponse('First.'));
      const { id } = await opened.active();
      const { tab } = await openTab('t', id);
      await opened.controller.newSession();
      await soon(() => side.state.session === undefined);
      assert.deepEqual(
        opened.registry.openSessions.map((session) => session.id),
        [id],
      );
      await opened.panels.closeTab('t');
      tab.close();
      await soon(() => opened.registry.openSessions.length === 0);
    });

    it('has a session and a draft of its own, which the next window shows again', async () => {
      const side = await opened.readyPanel();
      const { tab } = await openTab('t');
      side.send({ type: 'saveDraft', text: 'side' });
      tab.send({ type: 'saveDraft', text: 'tab' });
      await opened.converse(side, 'One', textResponse('First.'));
      await opened.controller.newSession();
      side.send({ type: 'saveDraft', text: 'side' });
      opened.provider.add(textResponse('Second.'));
      tab.send({ type: 'submitPrompt', text: 'Two' });
      await soon(
        () => (opened.schedule.run(), tab.lines.at(-1) === 'text: Second.' && tab.state.session?.state === 'idle'),
      );
      tab.send({ type: 'saveDraft', text: 'tab' });
      await opened.closeWindow();

      opened.openWindow();
      const again = await openTab('t');
      assert.deepEqual(again.tab.lines, ['prompt: Two', 'text: Second.']);
      assert.equal(again.tab.state.draft, 'tab');
      const sideAgain = await opened.readyPanel();
      assert.deepEqual([sideAgain.state.draft, sideAgain.lines], ['side', []]);

      // Closing a tab loses no text, and forgets the rest.
      await opened.panels.closeTab('t');
      assert.equal(opened.controller.draft, 'tab\n\nside');
      const fresh = await openTab('t');
      assert.deepEqual([fresh.tab.state.draft, fresh.tab.lines], ['', []]);
    });

    it('is emptied when its session is deleted in the other chat', async () => {
      const side = await opened.readyPanel();
      await opened.converse(side, 'One', textResponse('First.'));
      const { id } = await opened.active();
      const { tab, chat } = await openTab('t', id);
      await opened.controller.deleteSession(id);
      await soon(() => tab.state.session === undefined);
      assert.deepEqual([chat.activeSessionId, side.state.panel?.activeSessionId], [undefined, undefined]);
      assert.deepEqual(opened.errors, []);
    });

    it('is the one that commands mean while it is on screen and was used last', async () => {
      const side = await opened.readyPanel();
      await opened.converse(side, 'One', textResponse('First.'));
      const { id } = await opened.active();
      const { tab, chat } = await openTab('t');
      side.send({ type: 'focusChanged', isFocused: true });
      assert.equal(opened.panels.current, opened.controller);
      tab.send({ type: 'focusChanged', isFocused: true });
      side.send({ type: 'focusChanged', isFocused: false });
      assert.equal(opened.panels.current, chat);
      assert.deepEqual([opened.isFocused, opened.isWatched], [true, true]);
      // A session that a chat has is shown there.
      await opened.panels.showSession(id);
      assert.deepEqual([opened.revealed, chat.activeSessionId], [['side bar'], undefined]);
      tab.hide();
      assert.equal(opened.panels.current, opened.controller);
      assert.deepEqual([opened.isFocused, opened.isWatched], [false, true]);
      side.hide();
      assert.equal(opened.isWatched, false);
    });
  });
});
