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

  it('have links to the commands that belong to them', async () => {
    const { page } = window.workbench;
    const description = page.locator('.setting-item-contents', { hasText: 'Address of the model server.' });
    await description.getByRole('link', { name: 'Enter Server Address' }).click();
    await page.locator('.quick-input-widget').getByText('Address of the Model Server').waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('the address of a server in the VS Code window', () => {
  // Port 9 discards what it gets; nothing listens there.
  const window = useChatWindow({ files: { 'a.txt': 'a\n' }, settings: { 'openAgent.baseUrl': 'http://127.0.0.1:9' } });

  it('is entered from the panel with three clicks, and is checked before it is used', async () => {
    const { page } = window.workbench;
    await window.workbench.showChat();
    await window.button('Enter Address…').click();
    const field = page.locator('.quick-input-widget input');
    await field.fill('ftp://server');
    await page.locator('.quick-input-widget').getByText('must begin with http:// or https://').waitFor();
    await window.workbench.screenshot('e2e-server-address');
    // A host and a port are enough.
    await field.fill(new URL(window.server.baseUrl).host);
    await field.press('Enter');
    await window.panel.getByText(`at http://${new URL(window.server.baseUrl).host}/v1`).waitFor();
    await window.workbench.screenshot('e2e-server-address-used');
    await window.ask('Hi', { text: 'Hello.' });
    await window.untilAnswered('Hello.');
  });
});
