import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/gate';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('a commit message in the VS Code window', () => {
  let folder: TemporaryFolder;
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    });
  before(async () => {
    folder = await createTemporaryFolder({ 'a.ts': 'export const a = 1;\n', '.env': 'KEY=old\n' });
    git('init', '-q', '-b', 'main');
    git('add', '-f', '.');
    git('commit', '-q', '-m', 'feat: first things');
    writeFileSync(path.join(folder.path, 'a.ts'), 'export const a = 2;\n');
    writeFileSync(path.join(folder.path, 'new.ts'), 'export const fresh = true;\n');
    writeFileSync(path.join(folder.path, '.env'), 'KEY=MARKED-SECRET\n');
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
  const press = async (name: string) => {
    const { page } = window.workbench;
    await page.locator('.scm-view, .pane-header').filter({ hasText: 'Changes' }).first().hover();
    await page.locator(`a.action-label[aria-label^="${name}"]`).first().click();
  };

  it('is written from all changes where nothing is staged, without the contents of secret files', async () => {
    window.expect({ thinking: 'Two files.', text: '```\nfeat: make a two\n\nAdds fresh.\n```' });
    const { page } = window.workbench;
    // VS Code drops keys while the window is still being set up, so this repeats them.
    await window.workbench.until('the source control view is shown', async () => {
      if (await field().isVisible()) return true;
      await page.keyboard.press('Control+Shift+G');
      await page.keyboard.press('g');
      return field().isVisible();
    });
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
    git('add', 'new.ts');
    await window.workbench.runCommand('Git: Refresh');
    await window.workbench.page.getByText('Staged Changes', { exact: true }).first().waitFor();
    window.expect({ text: 'feat: add fresh' });
    await press('Generate Commit Message');
    await untilField('feat: add fresh');
    const content = String((await window.request(1)).body.messages.at(-1)?.content);
    assert.doesNotMatch(content, /a\.ts/);
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
});
