import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('the chat in an editor', () => {
  const window = useChatWindow({ files: { 'a.ts': 'export const rate = 1;\n' } });
  const chat = new Chat(() => window.workbench);
  const tab = () => window.workbench.chatTab();
  const field = () => tab().getByLabel('Message to Open Agent');
  const title = (name: string) => window.workbench.page.locator('.tab', { hasText: name });

  it('shows the session of the side bar; both stay the same, and a question is answered in either', async () => {
    const { workbench } = window;
    await window.ask('First', { text: 'One.' });
    await window.untilAnswered('One.');
    await workbench.runCommand('Open Agent: Open Chat in Editor');
    await tab().locator('.prompt-text').getByText('First').waitFor();
    await title('First').waitFor();
    await field().and(tab().locator(':focus')).waitFor();

    const edit = {
      name: 'apply_edit',
      arguments: { path: 'a.ts', edits: [{ old_text: 'rate = 1', new_text: 'rate = 2' }] },
    };
    window.expect({ toolCalls: [edit] }, { text: 'Doubled.' });
    await field().fill('Double it');
    await field().press('Enter');
    // The proposal opens as a diff; the side bar has the same card.
    await window.card('Edit a.ts').waitFor();
    await workbench.screenshot('e2e-chat-tab-asks');
    await window.button('Accept').click();
    await window.untilAnswered('Doubled.');
    await title('First').click();
    await tab().locator('.markdown').getByText('Doubled.', { exact: true }).waitFor();
    assert.equal(await window.read('a.ts'), 'export const rate = 2;\n');
    await workbench.screenshot('e2e-chat-tab');
    await workbench.setTheme('light');
    await workbench.screenshot('e2e-chat-tab-light');
    await workbench.setTheme('dark');
  });

  it('has a session and a text of its own, also after a reload', async () => {
    const { workbench } = window;
    await title('First').click();
    // The chat that was used last is meant.
    await field().click();
    await workbench.runCommand('Open Agent: New Session');
    await tab().locator('.empty').waitFor();
    window.expect({ text: 'Two.' });
    await field().fill('Second');
    await field().press('Enter');
    await tab().locator('.markdown').getByText('Two.', { exact: true }).waitFor();
    await title('Second').waitFor();
    assert.deepEqual(await chat.promptTexts(), ['First', 'Double it']);
    await field().fill('not sent yet');
    await chat.composer.fill('nor this');

    await workbench.reload();
    await tab().locator('.markdown').getByText('Two.', { exact: true }).waitFor();
    await title('Second').waitFor();
    await chat.prompts.getByText('Double it').waitFor();
    await workbench.until('each has its text', async () => {
      const texts = [await field().inputValue(), await chat.composer.inputValue()];
      return JSON.stringify(texts) === JSON.stringify(['not sent yet', 'nor this']);
    });
  });

  it('loses no unsent text when it is closed', async () => {
    const { workbench } = window;
    await title('Second').click({ button: 'middle' });
    await title('Second').waitFor({ state: 'detached' });
    await workbench.until(
      'the text is in the side bar',
      async () => (await chat.composer.inputValue()) === 'not sent yet\n\nnor this',
    );
    await chat.composer.fill('');
  });

  it('loses no key that was pressed in the moment before it is closed', async () => {
    const { workbench } = window;
    const closings: readonly (readonly [string, () => Promise<void>])[] = [
      ['by a command', () => workbench.runCommand('View: Close Editor')],
      ['by a key', () => field().press('Control+w')],
    ];
    await chat.show();
    for (const [how, close] of closings) {
      await workbench.runCommand('Open Agent: Open Chat in Editor');
      await field().and(tab().locator(':focus')).waitFor();
      await field().fill(`Early ${how}`);
      await workbench.untilStored(`Early ${how}`);
      // From here on the page saves nothing by itself.
      await field().evaluate('void (globalThis.setTimeout = () => 0)');
      await field().pressSequentially(', and late');
      await close();
      await workbench.page.locator('.editor .tabs-container .tab').waitFor({ state: 'detached' });
      await workbench.until(
        `the side bar has the text of the tab that was closed ${how}`,
        async () => (await chat.composer.inputValue()) === `Early ${how}, and late`,
      );
      await chat.composer.fill('');
    }
  });
});
