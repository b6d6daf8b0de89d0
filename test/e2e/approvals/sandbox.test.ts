import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('Auto in the sandbox, in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'src/a.ts': 'export const a = 1;\n',
      '.env': 'KEY=very-secret\n',
      'package.json': '{ "name": "w" }\n',
      'change.sh': 'cat .env; echo "export const b = 2;" > src/b.ts; echo x > package.json; echo done\n',
    },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const mode = () => chat.frame.getByRole('button', { name: /^Mode: / });
  const run = (command: string) => ({ toolCalls: [{ name: 'run_terminal_command', arguments: { command } }] });

  before(async function () {
    if ((await createConfinement().findProblem()) !== undefined) this.skip();
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('is offered, and shows that it is on', async () => {
    await mode().click();
    await chat.frame.getByRole('menuitemradio', { name: 'Auto in the sandbox' }).waitFor();
    await window.workbench.screenshot('sandbox-menu');
    await chat.frame.getByRole('menuitemradio', { name: 'Auto in the sandbox' }).click();
    await chat.frame.getByRole('button', { name: 'Mode: Sandbox' }).waitFor();
    assert.equal(await chat.frame.locator('.mode-picker.is-sandbox .codicon-shield').count(), 1);
  });

  it('edits and runs without asking, hides secrets, keeps protected files, and takes all of it back', async () => {
    await window.ask(
      'Change it',
      {
        toolCalls: [
          { name: 'apply_edit', arguments: { path: 'src/a.ts', edits: [{ old_text: 'a = 1', new_text: 'a = 2' }] } },
        ],
      },
      run('sh change.sh'),
      { text: 'Changed.' },
    );
    await window.untilAnswered('Changed.');
    const messages = (await window.request(3)).body.messages;
    assert.match(String(messages.find(({ role }) => role === 'user')?.content), /\[Mode: auto in the sandbox\./);
    const result = String(messages.at(-1)?.content);
    assert.match(result, /^done$/m);
    assert.equal(JSON.stringify(messages).includes('very-secret'), false);
    assert.equal(await window.read('package.json'), '{ "name": "w" }\n');
    assert.equal(await window.read('src/b.ts'), 'export const b = 2;\n');
    const summary = chat.notices.filter({ hasText: 'Changed 2 files' });
    assert.match(await summary.innerText(), /Changed 2 files.*ran one command/);
    await window.workbench.screenshot('sandbox-run');
    await summary.getByRole('button', { name: 'Undo' }).press('Enter');
    await window.workbench.until(
      'both changes are undone',
      async () =>
        (await window.read('src/a.ts')) === 'export const a = 1;\n' &&
        !existsSync(path.join(window.folder, 'src/b.ts')),
    );
  });

  it('asks before a command with a red band, an edit of a protected file, and a change of the repository', async () => {
    for (const call of [
      run('rm -rf src'),
      run('git init'),
      { toolCalls: [{ name: 'write_file', arguments: { path: 'package.json', content: '{}\n' } }] },
    ]) {
      await window.ask('Try it', call, { text: 'Not done.' });
      const deny = chat.frame.getByRole('button', { name: /^(?:Deny|Reject)$/ });
      await deny.waitFor();
      await window.workbench.screenshot('sandbox-asks');
      await deny.click();
      await window.untilAnswered('Not done.');
    }
    assert.equal(await window.read('src/a.ts'), 'export const a = 1;\n');
  });

  it('asks for everything again in mode Ask', async () => {
    await mode().click();
    await chat.frame.getByRole('menuitemradio', { name: 'Ask' }).first().click();
    await chat.frame.getByRole('button', { name: 'Mode: Ask' }).waitFor();
    await window.ask('Run it', run('sh change.sh'), { text: 'Not run.' });
    await window.button('Deny').click();
    await window.untilAnswered('Not run.');
    assert.equal(existsSync(path.join(window.folder, 'src/b.ts')), false);
  });
});
