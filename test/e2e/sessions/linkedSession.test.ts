import assert from 'node:assert/strict';
import { lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';
import { sessionFileWith } from '../support/sessionFiles';

/** Whoever can replace a session's file by a link must not make us write or read elsewhere. */
describe('a session file that became a link, in the VS Code window', () => {
  const window = useChatWindow({ files: { 'src/a.ts': 'let a = 1;\n' } });
  const chat = new Chat(() => window.workbench);
  const notice = () => chat.notices.getByText('is a link. A session must be a regular file.', { exact: false });

  async function talk(prompt: string, answer: string): Promise<void> {
    window.expect({ text: answer });
    await chat.send(prompt);
    await chat.answers.getByText(answer).waitFor();
    await chat.untilIdle();
  }

  it('is not written; the panel says so, and the session is complete once the link is gone', async () => {
    await chat.show();
    await talk('First question', 'First answer.');
    const file = await sessionFileWith(window.workbench.server.serverDataDir, 'First question');
    const elsewhere = path.join(window.folder, 'elsewhere.txt');
    await rename(file, elsewhere);
    await symlink(elsewhere, file);
    const before = await readFile(elsewhere, 'utf8');

    await talk('Second question', 'Second answer.');
    await chat.notices.getByText('This session cannot be saved:', { exact: false }).waitFor();
    await notice().waitFor();
    await window.workbench.screenshot('session-link-unsaved');
    assert.equal(await readFile(elsewhere, 'utf8'), before);

    await rm(file);
    await talk('Third question', 'Third answer.');
    await notice().waitFor({ state: 'detached' });
    assert.equal((await lstat(file)).isFile(), true);
    const written = await readFile(file, 'utf8');
    for (const text of ['First answer.', 'Second answer.', 'Third answer.']) assert.ok(written.includes(text), text);
    assert.equal(await readFile(elsewhere, 'utf8'), before);
  });

  it('is neither listed nor read after a reload', async () => {
    window.expect();
    const file = await sessionFileWith(window.workbench.server.serverDataDir, 'First question');
    const elsewhere = path.join(window.folder, 'elsewhere.txt');
    await rename(file, elsewhere);
    await symlink(elsewhere, file);
    const before = await readFile(elsewhere, 'utf8');

    await window.workbench.reload();
    await chat.show();
    await chat.composer.waitFor();
    await window.workbench.screenshot('session-link-reloaded');
    assert.equal(await chat.frame.getByText('First answer.').count(), 0);
    await chat.button('Past Sessions').click();
    await chat.frame.getByLabel('Search sessions').waitFor();
    await window.workbench.notification('A session is not listed because its file is a link');
    await window.workbench.screenshot('session-link-list');
    assert.equal(await chat.frame.locator('.session-row').filter({ hasText: 'First question' }).count(), 0);
    assert.equal(await readFile(elsewhere, 'utf8'), before);
    assert.equal((await lstat(file)).isSymbolicLink(), true);
  });
});
