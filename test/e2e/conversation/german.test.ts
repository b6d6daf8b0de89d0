import assert from 'node:assert/strict';
import translations from '../../../l10n/bundle.l10n.de.json';
import texts from '../../../package.nls.de.json';
import { useChatWindow } from '../../support/window/chatWindow';

describe('a VS Code window in German', () => {
  const window = useChatWindow({ files: { 'src/greet.js': "export const greeting = 'Hello';\n" }, language: 'de' });
  const command = (key: keyof typeof texts): string => `Open Agent: ${texts[key]}`;

  it('lists commands and choices in German', async () => {
    const { page } = window.workbench;
    await window.workbench.startCommand(command('command.openAgent.selectMode.title'));
    const choices = page.locator('.quick-input-widget');
    await choices.getByText(translations['Reads by itself. Asks before each edit and command.']).waitFor();
    assert.equal(
      await choices.locator('input').first().getAttribute('placeholder'),
      translations['Applies in this workspace, at once'],
    );
    await page.keyboard.press('Escape');
  });

  it('notifies in German', async () => {
    await window.workbench.runCommand(command('command.openAgent.reviewEdits.title'));
    await window.workbench.notification(translations['There are no unseen edits.']);
  });

  it('describes settings in German', async () => {
    const { page } = window.workbench;
    await window.workbench.runCommand(command('command.openAgent.openSettings.title'));
    await page.locator('.settings-toc-entry', { hasText: texts['settings.permissions.title'] }).waitFor();
    const first = page.locator('.setting-item-contents', { hasText: 'Adresse des Modellservers.' });
    await first.getByRole('link', { name: texts['command.openAgent.checkServer.title'] }).waitFor();
    await window.workbench.screenshot('e2e-german-settings');
  });

  it('shows the walkthrough in German, with its pages', async () => {
    const { page } = window.workbench;
    await window.workbench.runCommand(command('command.openAgent.getStarted.title'));
    await page.locator('.step-title', { hasText: texts['walkthrough.start.server.title'] }).first().waitFor();
    await page
      .frameLocator('.gettingStartedContainer ~ * iframe.webview, iframe.webview')
      .first()
      .frameLocator('iframe#active-frame')
      .getByRole('heading', { name: 'Ein Server für das Modell' })
      .waitFor();
    await window.workbench.screenshot('e2e-german-walkthrough');
  });

  it('speaks German in the panel, and English with the model', async () => {
    const { page } = window.workbench;
    await window.workbench.runCommand(command('command.openAgent.focusChat.title'));
    const composer = window.panel.getByLabel(translations['Message to Open Agent']);
    window.expect(
      {
        toolCalls: [
          {
            name: 'apply_edit',
            arguments: { path: 'src/greet.js', edits: [{ old_text: 'Hello', new_text: 'Hallo' }] },
          },
        ],
      },
      { text: 'Fertig.' },
    );
    await composer.fill('Grüße auf Deutsch');
    await composer.press('Enter');
    const tab = page.locator('.tab.active', { hasText: 'greet.js' });
    await tab.waitFor();
    assert.match((await tab.innerText()) ?? '', /greet\.js/);
    await window.panel.getByRole('button', { name: translations['Accept'], exact: true }).waitFor();
    await window.workbench.screenshot('e2e-german-panel');
    await window.panel.getByRole('button', { name: translations['Accept'], exact: true }).click();
    await window.panel.locator('.markdown').getByText('Fertig.', { exact: true }).waitFor();
    const { body } = await window.request(2);
    const words = JSON.stringify(body.messages).replaceAll(/Grüße auf Deutsch|Hallo/g, '');
    // No umlaut: nothing German but the person's own words.
    assert.doesNotMatch(words, /[äöüß]/i);
  });
});
