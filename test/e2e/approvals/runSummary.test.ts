import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('the summary of a run in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'src/a.ts': 'export const a = 1;\n',
      'src/b.ts': 'export const b = 1;\n',
      'package.json': '{ "scripts": { "verify": "node --test test" } }\n',
      'test/a.test.js': "require('node:test')('works', () => {});\n",
    },
    modelServer: { models: ['coder-7b'] },
    settings: { 'openAgent.permissionMode': 'acceptEdits' },
  });
  const chat = new Chat(() => window.workbench);
  const edit = (path: string, oldText: string, newText: string) => ({
    toolCalls: [{ name: 'apply_edit', arguments: { path, edits: [{ old_text: oldText, new_text: newText }] } }],
  });
  const verify = { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'npm run verify' } }] };
  const summary = () => chat.notices.filter({ hasText: 'Changed' });

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('stands after a reload, with its buttons', async () => {
    await window.ask('Change b', edit('src/b.ts', 'b = 1', 'b = 5'), { text: 'Changed it.' });
    await window.untilAnswered('Changed it.');
    await summary().waitFor();
    await window.workbench.reload();
    await window.workbench.showChat();
    await summary().getByRole('button', { name: 'Undo' }).waitFor();
    await window.workbench.screenshot('run-summary-reloaded');
    await summary().getByRole('button', { name: 'Undo' }).press('Enter');
    await chat.notices.getByText('Restored to how they were before “Change b”', { exact: false }).waitFor();
    assert.equal(await summary().count(), 0);
    await window.workbench.until('b is back', async () => (await window.read('src/b.ts')) === 'export const b = 1;\n');
  });

  it('says that the tests ran before the last edit, shows the changes, and takes them back', async () => {
    await window.ask(
      'Change both',
      edit('src/a.ts', 'a = 1', 'a = 2'),
      verify,
      edit('src/b.ts', 'b = 1', 'b = 2'),
      { text: 'All tests pass.' },
      { text: 'The tests ran before the last edit.' },
    );
    await window.button('Run').click();
    await window.untilAnswered('The tests ran before the last edit.');
    // The model got the same fact once, and the person sees that.
    const fact = 'Tests ran before the last edit: npm run verify, exit code 0.';
    assert.match(String((await window.request(5)).body.messages.at(-1)?.content), new RegExp(`^${fact}`));
    await chat.notices.filter({ hasText: `Told the model: ${fact}` }).waitFor();
    assert.match(
      await summary().innerText(),
      /Changed 2 files without asking: \+2 −2, ran one command\.\s+src\/a\.ts \+1 −1\s+src\/b\.ts \+1 −1\s+Tests ran before the last edit: npm run verify, exit code 0\./,
    );
    await window.workbench.screenshot('run-summary-dark');
    await window.workbench.setTheme('light');
    await window.workbench.screenshot('run-summary-light');
    await window.workbench.setTheme('dark');

    await summary().getByRole('button', { name: 'Review' }).click();
    const entries = window.workbench.page.locator('.multiDiffEntry');
    await entries.nth(1).waitFor();
    await window.workbench.screenshot('run-summary-review');

    await summary().getByRole('button', { name: 'Undo' }).press('Enter');
    await chat.notices.getByText('Restored to how they were before “Change both”', { exact: false }).waitFor();
    assert.equal(await summary().count(), 0);
    // The notice is on file before the files are changed.
    await window.workbench.until(
      'both files are as they were',
      async () =>
        (await window.read('src/a.ts')) === 'export const a = 1;\n' &&
        (await window.read('src/b.ts')) === 'export const b = 1;\n',
    );
    // Going back can be undone, as ever.
    await window.button('Undo').click();
    await window.workbench.until(
      'the changes are back',
      async () =>
        (await window.read('src/a.ts')) === 'export const a = 2;\n' &&
        (await window.read('src/b.ts')) === 'export const b = 2;\n',
    );
  });

  it('leaves with Keep, and says that no check ran', async () => {
    await window.ask('Change one', edit('src/a.ts', 'a = 2', 'a = 3'), { text: 'Changed.' });
    await window.untilAnswered('Changed.');
    assert.match(await summary().innerText(), /Changed one file without asking\.\s+src\/a\.ts \+1 −1\s+No check ran\./);
    await summary().getByRole('button', { name: 'Keep' }).press('Enter');
    await summary().waitFor({ state: 'detached' });
    assert.equal(await window.read('src/a.ts'), 'export const a = 3;\n');
  });
});
