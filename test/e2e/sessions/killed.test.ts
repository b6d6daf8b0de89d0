import assert from 'node:assert/strict';
import { OUTCOME_UNKNOWN } from '../../../src/sdk/session/replay';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { isRunning } from '../../support/commands/processes';
import { Chat } from '../support/chat';
import { extensionHostsOf } from '../support/extensionHosts';
import { findSessionFile } from '../support/sessionFiles';

describe('a window whose extension host is killed during a run', () => {
  const window = useChatWindow({
    files: { 'a.ts': 'let a = 1;\n' },
    settings: { 'openAgent.permissionMode': 'acceptEdits' },
  });
  const chat = new Chat(() => window.workbench);
  before(() => chat.show());

  /** Kills the extension hosts without warning and reloads the window. */
  async function killAndReopen(): Promise<void> {
    const hosts = await extensionHostsOf(window.workbench.server.serverDataDir);
    assert.notDeepEqual(hosts, []);
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    for (const pid of hosts) await window.workbench.until('it is gone', async () => !(await isRunning(pid)));
    await window.workbench.reload();
    await chat.composer.waitFor();
    await chat.prompts.first().waitFor();
  }

  it('shows the half of an answer and continues it', async () => {
    const gate = createGate();
    window.expect({ text: ['The first half, ', gate, 'never heard.'] }, { text: 'the second half.' });
    await chat.send('Say something in two halves');
    await chat.answers.getByText('The first half,').waitFor();
    await window.workbench.until(
      'the half is on file',
      async () => (await findSessionFile(window.workbench.server.serverDataDir, 'The first half, ')) !== undefined,
    );
    await killAndReopen();
    gate.open();
    assert.deepEqual(await chat.promptTexts(), ['Say something in two halves']);
    assert.match(await chat.newestAnswer(), /^The first half,\s+.*Stopped here\.$/su);
    assert.match(await chat.notices.innerText(), /The last answer was interrupted/);
    await chat.button('Continue').click();
    await chat.answers.getByText('the second half.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(
      (await window.request(2)).body.messages
        .slice(-3)
        .map(({ role, content }) => [role, content])
        .slice(1),
      [
        ['assistant', 'The first half, '],
        ['user', 'Continue.'],
      ],
    );
  });

  it('repeats no call of unknown outcome, offers to end running commands, and can undo edits', async () => {
    const edits = [{ old_text: 'a = 1', new_text: 'a = 2' }];
    window.expect(
      { toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.ts', edits } }] },
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'echo $$ >> pids; exec sleep 1000' } }] },
      { text: 'It may have run.' },
    );
    await chat.startSession();
    await chat.send('Change it, then sleep');
    await chat.button('Run').click();
    let pids = '';
    await window.workbench.until('the command runs', async () => {
      pids = await window.read('pids').catch(() => '');
      return pids.endsWith('\n');
    });
    await killAndReopen();
    assert.equal(await isRunning(Number(pids)), true, 'nobody was there to end it');
    assert.deepEqual(await chat.promptTexts(), ['Change it, then sleep']);
    const offer = await window.workbench.notification('in a closed window still run');
    assert.match(await offer.innerText(), /exec sleep 1000/);
    await window.workbench.screenshot('killed-in-mid-run');
    await offer.getByRole('button', { name: 'End Them' }).click();
    await window.workbench.until('the command has ended', async () => !(await isRunning(Number(pids))));

    assert.equal(await chat.button('Run').count(), 0);
    await chat.button('Continue').click();
    await chat.answers.getByText('It may have run.').waitFor();
    await chat.untilIdle();
    assert.equal((await window.request(3)).body.messages.at(-1)?.content, OUTCOME_UNKNOWN);
    assert.equal(await window.read('pids'), pids);

    // The killed window had saved the former text of the file.
    assert.equal(await window.read('a.ts'), 'let a = 2;\n');
    const { page } = window.workbench;
    const rows = page.locator('.quick-input-widget .monaco-list-row');
    await chat.prompts.hover();
    await chat.button('Go Back to Before This Message…').click();
    await rows.getByText('Files only').first().click();
    await rows.filter({ hasText: 'a.ts' }).first().waitFor();
    await page.keyboard.press('Enter');
    await chat.button('Undo').waitFor();
    // The notice is on file before the file is changed.
    await window.workbench.until('the file is as it was', async () => (await window.read('a.ts')) === 'let a = 1;\n');
  });
});
