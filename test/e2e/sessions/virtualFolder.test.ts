import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

const before = 'return a + b;';
const after = 'return b + a;';

describe('a window with a virtual folder', () => {
  const window = useChatWindow({ files: {}, isVirtual: true, settings: { 'files.autoSave': 'off' } });

  const rows = () => window.workbench.page.locator('.quick-input-widget .monaco-list-row');
  /** Opens the file of a card with its button, and waits for the text. */
  const untilShown = async (card: string, text: string): Promise<void> => {
    await window.workbench.runCommand('View: Close All Editors');
    await window
      .card(card)
      .getByRole('button', { name: /^Open / })
      .click();
    await window.workbench.until(`"${text}" is shown`, async () =>
      (await window.workbench.editorText()).includes(text),
    );
  };

  it('has files that a message names', async () => {
    const field = window.panel.getByLabel('Message to Open Agent');
    await window.newSession();
    await window.workbench.showChat();
    await field.pressSequentially('@add');
    await window.panel.getByRole('option', { name: 'src/add.ts' }).first().waitFor();
    await field.press('Enter');
    await window.panel.getByRole('list', { name: 'Goes with the message' }).getByText('add.ts').waitFor();
    window.expect({ text: 'It adds.' });
    await field.press('Enter');
    await window.untilAnswered('It adds.');
    assert.match(String((await window.request(1)).body.messages.at(-1)?.content), /return a \+ b;/);
  });

  it('reads, edits, opens and restores its files, and runs no command', async () => {
    const { workbench } = window;
    await window.ask(
      'Turn it around',
      { toolCalls: [{ name: 'read_file', arguments: { path: 'src/add.ts' } }] },
      {
        toolCalls: [
          { name: 'apply_edit', arguments: { path: 'src/add.ts', edits: [{ old_text: before, new_text: after }] } },
        ],
      },
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'npm test' } }] },
      { text: 'Turned.' },
    );
    const first = await window.request(1);
    assert.match(String(first.body.messages[0]?.content), /Workspace folder: test-virtual:\/lib\. .*not on disk/);
    assert.match(String((await window.request(2)).body.messages.at(-1)?.content), /return a \+ b;/);
    await window.card('Edit src/add.ts').waitFor();
    await workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await workbench.screenshot('e2e-virtual-folder');
    await window.button('Accept').click();
    await window.untilAnswered('Turned.');
    assert.match(String((await window.request(4)).body.messages.at(-1)?.content), /^Commands cannot run here/);
    await untilShown('Edit src/add.ts', after);

    await workbench.startCommand('Open Agent: Go Back to an Earlier Message…');
    await rows().getByText('Turn it around').first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await rows().getByText('Files only').first().click();
    await rows().getByText('src/add.ts').first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await window.button('Undo').waitFor();
    await workbench.until('its editor has the former text', async () =>
      (await workbench.editorText()).includes(before),
    );
    await workbench.page.locator('.tabs-container .tab.active:not(.dirty)').waitFor();
  });
});
