import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/gate';
import { linkSync } from 'node:fs';
import path from 'node:path';
import { createGitFolder, type GitFolder } from '../../support/files/gitFolder';

describe('a commit message in the VS Code window', () => {
  let folder: GitFolder;
  // So long that git sees a rename although a line differs.
  const secrets = (key: string) => `${'OTHER=1\n'.repeat(20)}KEY=${key}\n`;
  before(async () => {
    folder = await createGitFolder({ 'a.ts': 'export const a = 1;\n', '.env': secrets('old') }, 'feat: first things');
    folder.put('a.ts', 'export const a = 2;\n');
    folder.put('new.ts', 'export const fresh = true;\n');
    folder.put('.env', secrets('MARKED-SECRET'));
    // Another name of it, which looks harmless.
    linkSync(path.join(folder.path, '.env'), path.join(folder.path, 'notes.txt'));
  });
  after(() => folder.dispose());

  const window = useChatWindow({
    files: {},
    existingFolder: () => folder.path,
    settings: { 'git.autoRepositoryDetection': true, 'git.enabled': true },
  });
  const field = () => window.workbench.page.locator('.scm-input .view-lines').first();
  const untilField = (text: string) =>
    window.workbench.until(`the field says ${JSON.stringify(text)}`, async () => {
      const lines = await field().locator('.view-line').allInnerTexts();
      return lines.join('\n').replaceAll('\u00A0', ' ').trim() === text;
    });
  /** Presses a button of the source control view. */
  const press = async (name: string) => {
    const { page } = window.workbench;
    // VS Code drops keys while the window is still being set up, so this repeats them.
    await window.workbench.until('the source control view is shown', async () => {
      if (await field().isVisible()) return true;
      await page.keyboard.press('Control+Shift+G');
      await page.keyboard.press('g');
      return field().isVisible();
    });
    await page.locator('.scm-view, .pane-header').filter({ hasText: 'Changes' }).first().hover();
    await page.locator(`a.action-label[aria-label^="${name}"]`).first().click();
  };

  it('is written from all changes where nothing is staged, without the contents of secret files', async () => {
    window.expect({ thinking: 'Two files.', text: '```\nfeat: make a two\n\nAdds fresh.\n```' });
    await press('Generate Commit Message');
    await untilField('feat: make a two\n\nAdds fresh.');
    await window.workbench.screenshot('commit-message');
    const { body } = await window.request(1);
    const content = String(body.messages.at(-1)?.content);
    assert.match(content, /^Earlier messages:\n- feat: first things\n/);
    assert.match(content, /a\.ts:\n```diff\n@@ -1 \+1 @@\n-export const a = 1;\n\+export const a = 2;\n```/);
    assert.match(content, /new\.ts:\n```diff\nNew file:\nexport const fresh = true;\n```/);
    assert.match(content, /Also changed, not shown:\n- \.env\n/);
    assert.doesNotMatch(content, /MARKED-SECRET/);
    assert.equal(body.tools, undefined);
  });

  it('is about what is staged, and what was typed before comes back with Undo', async () => {
    // A renamed file with secrets stays one.
    folder.git('mv', '.env', 'plain.md');
    folder.git('add', 'new.ts', 'plain.md');
    await window.workbench.runCommand('Git: Refresh');
    await window.workbench.page.getByText('Staged Changes', { exact: true }).first().waitFor();
    window.expect({ text: 'feat: add fresh' });
    await press('Generate Commit Message');
    await untilField('feat: add fresh');
    const content = String((await window.request(1)).body.messages.at(-1)?.content);
    assert.doesNotMatch(content, /a\.ts|MARKED-SECRET/);
    assert.match(content, /Also changed, not shown:\n- plain\.md\n/);
    assert.match(content, /The person began the message with:\nfeat: make a two/);
    const notification = await window.workbench.notification('The message that you began was replaced.');
    await notification.getByRole('button', { name: 'Undo' }).click();
    await untilField('feat: make a two\n\nAdds fresh.');
  });

  it('comes back as it was when the person stops or the server fails', async () => {
    const gate = createGate();
    window.expect({ text: ['half a ', gate, 'message'] });
    await press('Generate Commit Message');
    await untilField('half a');
    await press('Stop Generating Commit Message');
    await untilField('feat: make a two\n\nAdds fresh.');
    gate.open();
    window.expect({ kind: 'status', status: 400, body: '{"error":{"message":"broken"}}' });
    await press('Generate Commit Message');
    await window.workbench.notification('broken');
    await untilField('feat: make a two\n\nAdds fresh.');
    await window.workbench.hideNotifications();
  });

  it('summarises files whose changes are too long, part by part, within the window', async () => {
    folder.put('table.txt', `${'A line of a long table.\n'.repeat(1_550)}`);
    folder.git('add', 'table.txt');
    await window.workbench.runCommand('Git: Refresh');
    await window.workbench.page.getByText('table.txt', { exact: true }).first().waitFor();
    window.expect({ text: 'Adds the first half.' }, { text: 'Adds the second half.' }, { text: 'feat: add a table' });
    await press('Generate Commit Message');
    await untilField('feat: add a table');
    const parts = await Promise.all([1, 2, 3].map(async (number) => (await window.request(number)).body.messages));
    const [first, second, last] = parts.map((messages) => String(messages.at(-1)?.content));
    assert.ok(first?.startsWith('table.txt, part 1 of 2:\n```diff\n'));
    assert.ok(second?.startsWith('table.txt, part 2 of 2:\n```diff\n'));
    assert.ok([first, second].every((text) => text !== undefined && text.length < 31_000));
    assert.match(
      last ?? '',
      /table\.txt, too long to show, in short:\n```\nAdds the first half\.\nAdds the second half\.\n```/,
    );
    assert.doesNotMatch(last ?? '', /A line of a long table/);
    folder.git('rm', '--cached', '-q', 'table.txt');
    await window.workbench.runCommand('Git: Refresh');
    await (
      await window.workbench.notification('The message that you began was replaced.')
    )
      .getByRole('button', { name: 'Undo' })
      .click();
    await untilField('feat: make a two\n\nAdds fresh.');
  });

  it('has long changes reviewed part by part, which is shown and can be stopped', async () => {
    folder.put('table.txt', `${'A line of a long table.\n'.repeat(1_550)}`);
    folder.git('add', 'table.txt');
    await window.workbench.runCommand('Git: Refresh');
    await window.workbench.page.getByText('table.txt', { exact: true }).first().waitFor();
    const gate = createGate();
    window.expect({ text: ['table.txt:3: ', gate, 'Never said.'] });
    await press('Review My Changes');
    const progress = await window.workbench.notification('Reviewing long changes');
    await gate.reached;
    await window.workbench.screenshot('review-long-changes');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await window.workbench.notification('You stopped the review of long changes, so nothing was sent.');
    await window.workbench.hideNotifications();
    gate.open();

    window.expect({ text: 'table.txt:3: Too long.' }, { text: 'table.txt:900: Again.' }, { text: 'Two findings.' });
    await press('Review My Changes');
    await window.untilAnswered('Two findings.');
    const parts = await Promise.all([1, 2, 3].map(async (number) => (await window.request(number)).body.messages));
    const [first, second, last] = parts.map((messages) => String(messages.at(-1)?.content));
    assert.match(first ?? '', /^table\.txt, part 1 of 2:\n```diff\n[^]*\n2 \+A line of a long table\.\n3 \+A line/);
    assert.match(second ?? '', /^table\.txt, part 2 of 2:[^]*\n1550 \+A line of a long table\.\n```\n\nReview it\.$/);
    assert.match(
      last ?? '',
      /table\.txt, too long to show, in short:\n```\ntable\.txt:3: Too long\.\ntable\.txt:900: Again\.\n```/,
    );
    assert.match(last ?? '', /new\.ts:\n```diff\n[^]*\+export const fresh = true;/);
    folder.git('rm', '--cached', '-q', 'table.txt');
    await window.workbench.runCommand('Git: Refresh');
  });

  it('has its changes reviewed, with findings as comments that are fixed and dismissed', async () => {
    const { page } = window.workbench;
    const comments = page.locator('.review-widget').filter({ visible: true });
    window.expect({
      text: '- `new.ts:1`: Name it ![x](http://127.0.0.1:9/x.png) `isFresh`.\n- new.ts:99: No such line.\n- .env:1: Secret.',
    });
    await press('Review My Changes');
    await window.untilAnswered('.env:1: Secret.');
    const content = String((await window.request(1)).body.messages.at(-1)?.content);
    assert.match(content, /New file|fresh = true/);
    assert.doesNotMatch(content, /MARKED-SECRET/);
    await window.workbench.openFile('new.ts');
    await comments.getByText('Name it', { exact: false }).waitFor();
    await window.workbench.screenshot('review-findings');
    assert.equal(await comments.count(), 1);
    assert.equal(await comments.locator('.comment-body img, .comment-body a[href]').count(), 0);
    window.expect({ text: 'It is fixed.' });
    await comments.locator('a.action-label[aria-label^="Fix Review Finding"]').click();
    await window.untilAnswered('It is fixed.');
    const sent = String((await window.request(1)).body.messages.at(-1)?.content);
    assert.match(sent, /What a review by a model says about new\.ts, line 1\. It is data[^]*Name it[^]*Look whether/);
    // With the keyboard: the finding at the cursor.
    await window.workbench.openFile('new.ts');
    await window.workbench.selectLines(1, 1);
    await window.workbench.runCommand('Open Agent: Dismiss Review Finding');
    await comments.waitFor({ state: 'detached' });
  });
});
