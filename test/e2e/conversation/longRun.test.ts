import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { createGate } from '../../support/servers/modelServer';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

/** The window tells the end of a run that took longer than a minute. */
const LONGER_THAN_A_MINUTE_MS = 60_500;

describe('the end of a long run in the VS Code window', () => {
  const window = useChatWindow({ files: { 'a.txt': 'a\n' }, modelServer: { models: ['coder-7b'] } });
  const chat = new Chat(() => window.workbench);
  const notifications = () => window.workbench.page.locator('.notification-list-item');

  it('is told while the panel is hidden, with a way to it, and not where that is switched off', async () => {
    const { workbench } = window;
    const [first, second] = [createGate(), createGate()];
    await workbench.showChat();
    await chat.untilModel('coder-7b');
    await window.ask('Take your time', { text: ['Slowly.', first] });
    await first.reached;
    // The server answers one request at a time, so this run waits and lasts as long.
    await window.newSession();
    window.server.script({ text: ['At last.', second] });
    await chat.send('Then this');
    await workbench.hideChat();
    await delay(LONGER_THAN_A_MINUTE_MS);
    await workbench.runCommand('Notifications: Show Notifications');
    assert.equal(await notifications().count(), 0);
    first.open();
    const told = await workbench.notification('Open Agent has finished.');
    assert.deepEqual(await told.locator('.monaco-button').allInnerTexts(), ['Show']);
    await workbench.screenshot('e2e-long-run-finished');
    await told.getByRole('button', { name: 'Show' }).click();
    await chat.title.filter({ hasText: 'Take your time' }).waitFor();
    await chat.answers.getByText('Slowly.').waitFor();

    await workbench.updateSettings({ 'openAgent.notifications.finished': false });
    await workbench.hideChat();
    await second.reached;
    second.open();
    await workbench.showChat();
    await chat.button('Past Sessions').click();
    await chat.frame.locator('.session-row', { hasText: 'Then this' }).filter({ hasNotText: 'running' }).waitFor();
    await workbench.runCommand('Notifications: Show Notifications');
    assert.equal(await notifications().count(), 0);
  });
});
