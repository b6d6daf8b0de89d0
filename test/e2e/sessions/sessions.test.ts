import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';
import { extensionHostsOf } from '../support/extensionHosts';

describe('past sessions in the VS Code window', () => {
  const window = useChatWindow({ files: { 'src/a.ts': 'let a = 1;\n' } });
  const chat = new Chat(() => window.workbench);
  const row = (title: string) => chat.frame.locator('.session-row').filter({ hasText: title });

  before(async () => {
    await chat.show();
    window.expect({ text: 'First answer.' }, { text: 'Second answer.' });
    await chat.send('First question');
    await chat.answers.getByText('First answer.').waitFor();
    await chat.untilIdle();
    await chat.send('Second question');
    await chat.answers.getByText('Second answer.').waitFor();
    await chat.untilIdle();
  });

  it('are forked at a message, which returns to the composer', async () => {
    await chat.button('Fork from Here').nth(1).press('Enter');
    await chat.title.filter({ hasText: 'First question (fork)' }).waitFor();
    assert.deepEqual(await chat.promptTexts(), ['First question']);
    await window.workbench.until(
      'the message is back',
      async () => (await chat.composer.inputValue()) === 'Second question',
    );
    window.expect({ text: 'Other answer.' });
    await chat.composer.fill('');
    await chat.send('Another question');
    await chat.answers.getByText('Other answer.').waitFor();
    await chat.untilIdle();
    const { messages } = (await window.request(1)).body;
    assert.deepEqual(
      messages.slice(1).map(({ content }) => content),
      ['First question', 'First answer.', 'Another question'],
    );
  });

  it('are found, renamed, deleted and restored', async () => {
    window.expect();
    await chat.button('Past Sessions').click();
    // Words of the answer, in another order.
    await chat.frame.getByLabel('Search sessions').fill('ANSWER other');
    await window.workbench.until('one is found', async () => (await chat.frame.locator('.session-row').count()) === 1);
    await row('(fork)').locator('.session-piece').filter({ hasText: 'Other answer.' }).waitFor();
    assert.equal(await row('(fork)').locator('mark').innerText(), 'answer');
    await window.workbench.screenshot('session-search');
    await row('(fork)').hover();
    await chat.button('Rename First question (fork)').click();
    const input = window.workbench.page.locator('.quick-input-widget input').first();
    await input.waitFor();
    await input.fill('Branch of mine');
    await input.press('Enter');
    await row('Branch of mine').waitFor();
    await row('Branch of mine').hover();
    await window.workbench.screenshot('session-list');
    await chat.button('Delete Branch of mine').click();
    await row('Branch of mine').waitFor({ state: 'detached' });
    const notification = await window.workbench.notification('Deleted "Branch of mine"');
    await notification.getByRole('button', { name: 'Undo' }).click();
    await row('Branch of mine').waitFor();
    await chat.frame.getByLabel('Search sessions').fill('');
    await row('First question').waitFor();
    await chat.frame.getByLabel('Search sessions').press('Escape');
    await chat.title.filter({ hasText: 'Branch of mine' }).waitFor();
  });

  it('say that they are searched until the answer is there', async () => {
    window.expect();
    const field = chat.frame.getByLabel('Search sessions');
    const said = chat.frame.locator('.session-none');
    await chat.button('Past Sessions').click();
    await row('First question').waitFor();
    const hosts = await extensionHostsOf(window.workbench.server.serverDataDir);
    assert.notDeepEqual(hosts, []);
    // A stopped extension host does not answer.
    for (const pid of hosts) process.kill(pid, 'SIGSTOP');
    try {
      await field.fill('second');
      await said.getByText('Searching…', { exact: true }).waitFor();
      assert.deepEqual(await said.allInnerTexts(), ['Searching…']);
      await window.workbench.screenshot('session-searching');
    } finally {
      for (const pid of hosts) process.kill(pid, 'SIGCONT');
    }
    const found = chat.frame.locator('.session-piece');
    await found.filter({ hasText: 'Second answer.' }).waitFor();
    assert.deepEqual(await found.locator('mark').allInnerTexts(), ['Second']);
    assert.equal(await said.count(), 0);
    await field.fill('');
    await found.waitFor({ state: 'detached' });
    await field.press('Escape');
  });

  it('are exported and imported', async () => {
    window.expect();
    const page = window.workbench.page;
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    const save = async (format: string, name: string): Promise<string> => {
      await window.workbench.pick('Open Agent: Export Session…', format);
      const file = path.join(window.folder, name);
      await page.locator('.quick-input-widget').filter({ hasText: 'Export Session' }).waitFor();
      await window.workbench.until('the dialog asks where', async () =>
        (await input.inputValue()).endsWith(path.extname(name)),
      );
      await input.fill(file);
      await page.keyboard.press('Enter');
      let text = '';
      await window.workbench.until(`${name} is written`, async () => {
        text = await readFile(file, 'utf8').catch(() => '');
        return text !== '';
      });
      return text;
    };
    assert.match(
      await save('Markdown', 'out.md'),
      /^# Branch of mine\n\n## You\n\nFirst question\n\n## Agent\n\nFirst answer\.\n/,
    );
    await save('JSON Lines', 'out.jsonl');
    await chat.startSession();
    await window.workbench.pick('Open Agent: Import Session…', 'out.jsonl');
    await chat.title.filter({ hasText: 'Branch of mine' }).waitFor();
    assert.deepEqual(await chat.promptTexts(), ['First question', 'Another question']);
  });

  it('are brought back after the notification is gone, and are not deleted unasked while they run', async () => {
    const gate = createGate();
    window.expect({ text: ['It runs, ', gate, 'and ends.'] });
    const page = window.workbench.page;
    await chat.startSession();
    await chat.send('A long task');
    await chat.answers.getByText('It runs,').waitFor();
    await window.workbench.startCommand('Open Agent: Delete Session');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('"A long task" is running. Stop it and delete the session?').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await chat.title.innerText(), 'A long task');
    gate.open();
    await chat.untilIdle();
    await window.workbench.runCommand('Open Agent: Delete Session');
    await chat.title.filter({ hasText: 'New session' }).waitFor();
    await window.workbench.runCommand('Notifications: Clear All Notifications');
    await window.workbench.pick('Open Agent: Restore Deleted Session…', 'A long task');
    await chat.title.filter({ hasText: 'A long task' }).waitFor();
    assert.deepEqual(await chat.promptTexts(), ['A long task']);
    await chat.button('Past Sessions').click();
    await chat.frame.getByRole('button', { name: 'Restore Deleted Session…' }).waitFor();
    await chat.frame.getByLabel('Search sessions').press('Escape');
    await window.workbench.runCommand('Open Agent: Delete Session');
  });

  it('are read-only in a second window until it takes over from a closed one', async () => {
    const gate = createGate();
    window.expect({ text: ['The first half, ', gate, 'never heard.'] }, { text: 'Going on.' });
    await chat.startSession();
    await chat.send('A question for two windows');
    await chat.answers.getByText('The first half,').waitFor();

    await using second = await window.workbench.openWindow();
    const other = new Chat(() => second);
    await second.showChat();
    await other.button('Past Sessions').click();
    await other.frame.locator('.session').filter({ hasText: 'A question for two windows' }).click();
    await other.frame.getByText('This session is open in another window.', { exact: false }).waitFor();
    assert.deepEqual(await other.promptTexts(), ['A question for two windows']);
    assert.equal(await other.composer.count(), 0);
    await second.screenshot('second-window');

    // The first window closes during its answer. Its extension host ends a little later.
    await window.workbench.page.close();
    await other.button('Take Over').click({ timeout: 90_000 });
    await other.notices.getByText('The last answer was interrupted').waitFor();
    assert.match(await other.newestAnswer(), /^The first half,/);
    await other.button('Continue').click();
    await other.answers.getByText('Going on.').waitFor();
    await other.untilIdle();
    gate.open();
  });
});
