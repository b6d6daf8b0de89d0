import assert from 'node:assert/strict';
import { linkSync, symlinkSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGitFolder, type GitFolder } from '../../support/files/gitFolder';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('commands of a prompt in the VS Code window', () => {
  let folder: GitFolder;
  const home = path.join(tmpdir(), `open-agent-prompts-${process.pid}`);
  before(async () => {
    await mkdir(path.join(home, '.open-agent/prompts'), { recursive: true });
    await writeFile(
      path.join(home, '.open-agent/prompts/greet.prompt.md'),
      '---\ndescription: Greets a person\n---\nGreet ${input:whom}.\n',
    );
    folder = await createGitFolder(
      {
        'a.ts': 'export const a = 1;\nexport const b = 2;\n',
        '.env': 'KEY=old\n',
        '.github/prompts/release.prompt.md':
          '---\ndescription: Writes release notes\nmodel: other\nmode: agent\ntools: [run]\n---\nWrite the notes of version ${input:version:such as 1.2} for ${file}.\n',
      },
      'feat: first things',
    );
    folder.put('a.ts', 'export const a = 3;\nexport const b = 2;\n');
    folder.put('.env', 'KEY=MARKED-SECRET\n');
    // Other names of it, which look harmless.
    linkSync(path.join(folder.path, '.env'), path.join(folder.path, 'notes.txt'));
    symlinkSync('.env', path.join(folder.path, 'plain.txt'));
  });
  after(() => folder.dispose());
  after(() => rm(home, { recursive: true, force: true }));

  const window = useChatWindow({
    env: { HOME: home },
    files: {},
    existingFolder: () => folder.path,
    settings: { 'git.autoRepositoryDetection': true, 'git.enabled': true },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const sent = async () => String((await window.request(1)).body.messages.at(-1)?.content);
  const attached = async (): Promise<readonly string[]> =>
    window.panel.getByRole('list', { name: 'Attached' }).last().getByRole('listitem').allInnerTexts();
  const send = async (text: string): Promise<void> => {
    await chat.composer.fill(text);
    await chat.composer.press('Enter');
  };

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('are suggested, and explain the selected lines', async () => {
    await window.workbench.openFile('a.ts');
    await window.workbench.selectLines(1, 1);
    window.expect({ text: 'A number.' });
    await chat.composer.click();
    await chat.composer.pressSequentially('/');
    await window.panel.getByRole('option', { name: '/release Writes release notes' }).waitFor();
    await window.workbench.screenshot('e2e-slash-commands');
    await chat.composer.pressSequentially('exp');
    await window.panel.getByRole('option', { name: '/explain' }).waitFor();
    await chat.composer.press('Enter');
    await window.untilAnswered('A number.');
    assert.match(
      await sent(),
      /^Selected in a\.ts, lines? 1[^]*export const a = 3;[^]*\/explain means: explain a\.ts:1[^]*\n\n\/explain$/,
    );
    assert.match((await attached()).join(), /^a\.ts:1/);
  });

  it('fix the selected lines and write tests for them, with the words that follow', async () => {
    for (const [written, meaning] of [
      ['/fix the name', /\/fix means: [^]*a\.ts:2[^]*\n\n\/fix the name$/],
      ['/tests with node:test', /\/tests means: [^]*a\.ts:2[^]*\n\n\/tests with node:test$/],
    ] as const) {
      await window.workbench.openFile('a.ts');
      await window.workbench.selectLines(2, 2);
      window.expect({ text: `Did ${written}.` });
      await send(written);
      await window.untilAnswered(`Did ${written}.`);
      assert.match(await sent(), meaning);
      assert.match(await sent(), /export const b = 2;/);
      assert.match((await attached()).join(), /^a\.ts:2/);
    }
  });

  it('send no lines of a file that has another name, of secrets', async () => {
    for (const name of ['notes.txt', 'plain.txt']) {
      await window.workbench.openFile(name);
      await window.workbench.selectLines(1, 1);
      await send('/explain');
      await window.panel
        .getByRole('alert')
        .filter({ hasText: `${name} may hold secrets.` })
        .waitFor();
      await chat.composer.fill('');
    }
    await window.workbench.openFile('a.ts');
  });

  it('call a prompt file of the repository, which asks for its values', async () => {
    window.expect({ text: 'Notes.' });
    await send('/release');
    const input = window.workbench.page.locator('.quick-input-widget input').first();
    await window.workbench.page.getByText('The prompt asks for version.', { exact: false }).waitFor();
    await input.fill('2.0');
    await window.workbench.screenshot('e2e-prompt-file-asks');
    await input.press('Enter');
    await window.untilAnswered('Notes.');
    const { body } = await window.request(1);
    assert.equal(body.model, 'coder-7b');
    assert.match(
      await sent(),
      /^The person calls the prompt file \.github\/prompts\/release\.prompt\.md of the repository[^]*Write the notes of version 2\.0 for a\.ts\.\n```\n\n\/release$/,
    );
    assert.deepEqual(await attached(), ['.github/prompts/release.prompt.md']);
    await window.workbench.screenshot('e2e-prompt-file');
  });

  it('review the uncommitted changes without the contents of secret files', async () => {
    window.expect({ text: 'All is well.' });
    await window.workbench.runCommand('Git: Refresh');
    await window.workbench.openFile('a.ts');
    // Nothing is selected any more.
    await window.workbench.page.keyboard.press('ControlOrMeta+Home');
    await send('/review for typos');
    await window.untilAnswered('All is well.');
    const content = await sent();
    assert.match(
      content,
      /-export const a = 1;\n\+export const a = 3;[^]*\/review means: review uncommitted changes\./,
    );
    assert.match(content, /Also changed, not shown:\n- \.env/);
    assert.doesNotMatch(content, /MARKED-SECRET/);
    assert.deepEqual(await attached(), ['uncommitted changes']);
  });

  it('write a commit message into the source control view, and leave the field empty', async () => {
    window.expect({ text: 'fix: make it three' });
    await send('/commit');
    await window.workbench.page.locator('.scm-input .view-line').filter({ hasText: 'three' }).first().waitFor();
    await window.workbench.screenshot('e2e-slash-commit');
    await chat.show();
    assert.equal(await chat.composer.inputValue(), '');
  });

  it('compact the conversation, which is too short for it', async () => {
    await window.newSession();
    window.expect({ text: 'Hello.' });
    await send('Hi');
    await window.untilAnswered('Hello.');
    window.expect();
    await send('/compact the number');
    await window.panel
      .getByText('The conversation is too short: a summary would not take less room.', { exact: false })
      .waitFor();
    await window.workbench.until('the field is empty', async () => (await chat.composer.inputValue()) === '');
  });

  it("call a prompt file of the person's own folder", async () => {
    window.expect({ text: 'Hello, Ada.' });
    await chat.composer.click();
    await chat.composer.pressSequentially('/gre');
    await window.panel.getByRole('option', { name: '/greet Greets a person' }).waitFor();
    await chat.composer.press('Enter');
    const input = window.workbench.page.locator('.quick-input-widget input').first();
    await window.workbench.page.getByText('The prompt asks for whom.', { exact: false }).waitFor();
    await input.fill('Ada');
    await input.press('Enter');
    await window.untilAnswered('Hello, Ada.');
    assert.match(await sent(), /Greet Ada\.[^]*\/greet$/);
    assert.doesNotMatch(await sent(), /of the repository/);
  });
});
