import assert from 'node:assert/strict';
import type { Turn } from '../../support/servers/modelServer';
import { useChatWindow } from '../../support/window/chatWindow';

/** What the person is told, inside and outside of the panel. */
describe('what a person notices in the VS Code window', () => {
  const window = useChatWindow({ files: { 'src/a.ts': 'let a = 1;\n' }, modelServer: { models: ['coder-7b'] } });
  const runs = (command: string): Turn => ({
    toolCalls: [{ name: 'run_terminal_command', arguments: { command } }],
  });
  const status = () => window.workbench.page.locator('.statusbar-item', { hasText: 'coder-7b' });
  const badge = () =>
    window.workbench.page
      .locator('.activitybar .action-item', { has: window.workbench.page.getByLabel(/Open Agent/) })
      .locator('.badge');

  it('has a quick menu behind the status bar while nothing waits', async () => {
    const { page } = window.workbench;
    await window.ask('Hi', { text: 'Hello.' });
    await window.untilAnswered('Hello.');
    await window.panel.locator('textarea:focus').waitFor();
    await status().click();
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Select Mode…' }).waitFor();
    assert.deepEqual(
      (await rows.allInnerTexts())
        .map((row) => row.trim())
        .filter((row) => /^(?:Open Chat|New Session|Select)/.test(row)),
      ['Open Chat', 'New Session', 'Select Model…', 'Select Mode…'],
    );
    await window.workbench.screenshot('e2e-quick-menu');
    await rows.filter({ hasText: 'Select Mode…' }).click();
    await rows.filter({ hasText: 'Accept edits' }).waitFor();
    await page.keyboard.press('Escape');
    await rows.first().waitFor({ state: 'hidden' });
  });

  it('says in the list of sessions which one waits, and nothing elsewhere where that is switched off', async () => {
    const { page } = window.workbench;
    await window.workbench.updateSettings({
      'openAgent.notifications.statusBar': false,
      'openAgent.notifications.questions': false,
    });
    await window.workbench.showChat();
    await window.ask('Touch it', runs('touch b'), { text: 'As you like.' });
    await window.button('Run').waitFor();
    await window.newSession();
    await badge().getByText('1', { exact: true }).waitFor();
    assert.equal(await status().count(), 0);
    await window.workbench.runCommand('Notifications: Show Notifications');
    assert.equal(await page.locator('.notification-list-item').count(), 0);
    await window.button('Past Sessions').click();
    const row = window.panel.locator('.session', { hasText: 'Touch it' });
    assert.equal(await row.innerText(), 'Touch it\nwaits for you');
    await window.workbench.screenshot('e2e-session-waits');
    await window.workbench.updateSettings({ 'openAgent.notifications.badge': false });
    await badge().waitFor({ state: 'hidden' });
    await window.workbench.updateSettings({
      'openAgent.notifications.statusBar': undefined,
      'openAgent.notifications.questions': undefined,
      'openAgent.notifications.badge': undefined,
    });
    await status().filter({ hasText: '1 command waits for you' }).waitFor();
    await status().click();
    await window.button('Deny').click();
    await window.untilAnswered('As you like.');
  });

  it('says that an answer had no text, and offers to try again', async () => {
    await window.ask('Say something', { text: '' });
    await window.panel
      .getByRole('alert')
      .getByText(/^The answer of coder-7b is empty\./)
      .waitFor();
    await window.workbench.screenshot('e2e-no-answer');
    window.expect({ text: 'Something.' });
    await window.button('Retry').click();
    await window.untilAnswered('Something.');
  });

  it('tells by section what fills the window of the model, and says before it is sent that a message does not fit', async () => {
    await window.ask('Hi', { text: 'Hello again.' });
    await window.untilAnswered('Hello again.');
    const meter = window.panel.locator('.context-use');
    await meter.click();
    const details = window.panel.getByRole('group', { name: 'Context window' });
    const sections = (await details.getByRole('listitem').allInnerTexts()).map((row) => row.split('\n')[0]);
    assert.deepEqual(sections, ['System prompt', 'Tools', 'Conversation', 'Room for the answer']);
    await window.workbench.screenshot('e2e-context-details');
    await meter.press('Escape');
    await details.waitFor({ state: 'detached' });
    const field = window.panel.getByLabel('Message to Open Agent');
    await field.fill('word '.repeat(40_000));
    await window.panel.getByText(/^This message does not fit: it has about \d+k tokens/).waitFor();
    await window.workbench.screenshot('e2e-does-not-fit');
    await field.fill('');
  });
});
