import assert from 'node:assert/strict';
import { settingGroups } from '../../support/declaredSettings';
import { useChatWindow } from '../../support/window/chatWindow';

describe('settings in the VS Code window', () => {
  const window = useChatWindow({ files: {} });

  it('stand under headings, the address of the server first', async () => {
    await window.workbench.runCommand('Open Agent: Open Settings');
    const headings = window.workbench.page.locator('.settings-toc-wrapper .settings-toc-entry');
    const titles = ['Extensions', 'Open Agent', ...settingGroups.map(({ title }) => title)];
    await window.workbench.until('the headings are shown', async () => (await headings.count()) === titles.length);
    assert.deepEqual(await headings.allInnerTexts(), titles);
    const first = window.workbench.page.locator('.setting-item-label').first();
    assert.equal(await first.innerText(), 'Base Url');
    await window.workbench.screenshot('e2e-settings');
  });
});
