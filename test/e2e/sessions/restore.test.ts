import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';
import type { ScriptedToolCall } from '../../support/servers/turns';

const source = 'export const rate = 1;\n';
const changed = source.replace('1', '2');

describe('going back in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'a.ts': source, 'b.ts': source, 'c.ts': source, 'src/e.ts': source, 'other/e.ts': changed },
    settings: { 'openAgent.permissionMode': 'acceptEdits', 'files.autoSave': 'off' },
  });

  afterEach(() => window.workbench.runCommand('View: Close All Editors'));

  const edit = (file: string): ScriptedToolCall => ({
    name: 'apply_edit',
    arguments: { path: file, edits: [{ old_text: 'rate = 1', new_text: 'rate = 2' }] },
  });
  const quickPick = () => window.workbench.page.locator('.quick-input-widget');
  const rows = () => quickPick().locator('.quick-input-list-row, .monaco-list-row');
  const isThere = (file: string) => existsSync(path.join(window.folder, file));
  /** Not the button of the note about a run, which takes back the files alone. */
  const undo = () => window.button('Undo').and(window.panel.locator(':not(.secondary)'));
  const prompts = () => window.panel.locator('.prompt-text');

  it('restores files and conversation, keeps text typed by the person, and can be undone', async () => {
    const { workbench } = window;
    await window.ask(
      'Double the rates',
      {
        toolCalls: [edit('a.ts'), edit('b.ts'), { name: 'write_file', arguments: { path: 'd.ts', content: source } }],
      },
      { text: 'Doubled.' },
    );
    await window.untilAnswered('Doubled.');
    assert.deepEqual([await window.read('a.ts'), await window.read('b.ts'), isThere('d.ts')], [changed, changed, true]);

    await workbench.openFile('b.ts');
    await workbench.editor().locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type('// mine');
    await workbench.page.locator('.tabs-container .tab.active.dirty').waitFor();

    await prompts().hover();
    await workbench.screenshot('e2e-restore-prompt');
    await window.button('Go Back to Before This Message…').click();
    await rows().getByText('Files and conversation').first().waitFor();
    await workbench.screenshot('e2e-restore-what');
    await workbench.page.keyboard.press('Enter');
    await rows().getByText('Changed since, and not by the agent.').first().waitFor();
    await workbench.screenshot('e2e-restore-files');
    const ticked = await Promise.all(
      ['a.ts', 'b.ts', 'd.ts'].map(async (file) => {
        const box = rows().filter({ hasText: file, visible: true }).getByRole('checkbox');
        return [file, await box.isChecked()];
      }),
    );
    assert.deepEqual(ticked, [
      ['a.ts', true],
      ['b.ts', false],
      ['d.ts', true],
    ]);
    await workbench.page.keyboard.press('Enter');

    // The files are restored first, with a notice of their own.
    await prompts().waitFor({ state: 'detached' });
    await undo().waitFor();
    assert.equal(await window.panel.getByLabel('Message to Open Agent').inputValue(), 'Double the rates');
    await workbench.until(
      'the chosen files are restored',
      async () => (await window.read('a.ts')) === source && !isThere('d.ts'),
    );
    assert.equal(await window.read('b.ts'), changed);
    await workbench.untilEditorShows(`${changed}// mine`);
    await workbench.screenshot('e2e-restored');

    await undo().click();
    await prompts().getByText('Double the rates').waitFor();
    await workbench.until('the files are as the agent left them', async () => (await window.read('a.ts')) === changed);
    await workbench.until('the created file is there again', () => isThere('d.ts'));

    // The undo can be undone as well, files and conversation at once.
    await undo().click();
    await prompts().waitFor({ state: 'detached' });
    await undo().waitFor();
    await workbench.until(
      'the files are restored again',
      async () => (await window.read('a.ts')) === source && !isThere('d.ts'),
    );
    await undo().click();
    await prompts().getByText('Double the rates').waitFor();
    await workbench.until(
      'the files are as before',
      async () => (await window.read('a.ts')) === changed && isThere('d.ts'),
    );
    await workbench.untilEditorShows(`${changed}// mine`);
    await window.panel.locator('textarea:focus').waitFor();
    await workbench.runCommand('File: Save');
    await workbench.page.locator('.tabs-container .tab.active:not(.dirty)').waitFor();
  });

  it('restores files that a command moved, from the command palette', async () => {
    const { workbench } = window;
    await window.ask(
      'Move it',
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'mv c.ts moved.ts' } }] },
      { text: 'Moved.' },
    );
    await window.button('Run').click();
    await window.untilAnswered('Moved.');
    assert.deepEqual([isThere('c.ts'), isThere('moved.ts')], [false, true]);
    await workbench.startCommand('Open Agent: Go Back to an Earlier Message…');
    await rows().getByText('Move it').first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await rows().getByText('Files only').first().click();
    await rows().getByText('moves back').first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await undo().waitFor();
    await workbench.until('it is moved back', () => isThere('c.ts') && !isThere('moved.ts'));
    await prompts().getByText('Move it').waitFor();

    // Undo still works after a reload.
    await workbench.reload();
    await undo().click();
    await workbench.until('it is moved again', () => isThere('moved.ts') && !isThere('c.ts'));
    // The panel takes the focus again, which closes an open quick input. Waits for that.
    await window.panel.locator('textarea:focus').waitFor();
  });

  it('restores nothing through a folder that became a link while the question was open', async () => {
    const { workbench } = window;
    await window.ask('Double the other rate', { toolCalls: [edit('src/e.ts')] }, { text: 'Doubled.' });
    await window.untilAnswered('Doubled.');
    await prompts().hover();
    await window.button('Go Back to Before This Message…').click();
    await rows().getByText('Files only').first().click();
    await rows().getByText('earlier text comes back').first().waitFor();
    await rename(path.join(window.folder, 'src'), path.join(window.folder, 'old'));
    await symlink('other', path.join(window.folder, 'src'));
    await workbench.page.keyboard.press('Enter');
    await workbench.notification('Not restored: src/e.ts: It leads to another place than before.');
    await workbench.screenshot('e2e-restore-refused');
    await workbench.hideNotifications();
    assert.deepEqual([await window.read('other/e.ts'), await window.read('old/e.ts')], [changed, changed]);
  });
});
