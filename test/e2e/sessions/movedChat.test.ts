import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('the chat in the secondary side bar', () => {
  const window = useChatWindow({ files: { 'a.ts': 'export const rate = 1;\n' } });
  const chat = new Chat(() => window.workbench);
  const isIn = async (part: 'auxiliarybar' | 'sidebar'): Promise<boolean> => {
    const { page } = window.workbench;
    const place = await page.locator(`.part.${part}`).boundingBox();
    const shown = await page.locator('iframe.webview').first().boundingBox();
    return place !== null && shown !== null && shown.x >= place.x && shown.x + shown.width <= place.x + place.width + 1;
  };

  it('keeps its session, its questions and its keys, also after a reload, and goes back', async () => {
    const { workbench } = window;
    const { page } = workbench;
    const edit = {
      name: 'apply_edit',
      arguments: { path: 'a.ts', edits: [{ old_text: 'rate = 1', new_text: 'rate = 2' }] },
    };
    await window.ask('Double it', { toolCalls: [edit] }, { text: 'Doubled.' });
    await window.card('Edit a.ts').waitFor();

    // The question waits while the view moves.
    await workbench.runCommand('Open Agent: Move Chat to Secondary Side Bar');
    await workbench.until('the chat is at the other side', () => isIn('auxiliarybar'));
    await window.card('Edit a.ts').waitFor();
    await chat.composer.and(window.panel.locator(':focus')).waitFor();
    await workbench.screenshot('e2e-chat-secondary');
    // The key of an empty field, once the question was on screen for a moment.
    await workbench.until('the key accepts the edit', async () => {
      await chat.composer.press('ControlOrMeta+Enter');
      return (await window.read('a.ts')) === 'export const rate = 2;\n';
    });
    await window.untilAnswered('Doubled.');

    await workbench.reload();
    await chat.composer.waitFor();
    assert.ok(await isIn('auxiliarybar'));
    await chat.prompts.getByText('Double it').waitFor();

    await workbench.runCommand('Open Agent: Move Chat to Primary Side Bar');
    await workbench.until('the chat is back', () => isIn('sidebar'));
    await chat.prompts.getByText('Double it').waitFor();
    await page.keyboard.type('more');
    await workbench.until('the field has the focus', async () => (await chat.composer.inputValue()) === 'more');
    // Without its view the other place is gone.
    assert.equal(
      await page.locator('.part.auxiliarybar .composite-bar .action-label[aria-label="Open Agent"]').count(),
      0,
    );
  });

  it('keeps what was typed in the moment before it moves or is hidden', async () => {
    const { workbench } = window;
    /** Types a text that the page does not save by itself, because its timers stand still. */
    const type = async (text: string): Promise<void> => {
      await chat.composer.fill('');
      await chat.composer.evaluate('void (globalThis.setTimeout = () => 0)');
      await chat.composer.fill(text);
    };
    const untilKept = (text: string) =>
      workbench.until(`the field holds "${text}"`, async () => (await chat.composer.inputValue()) === text);

    await chat.show();
    await type('Typed at the left');
    await workbench.runCommand('Open Agent: Move Chat to Secondary Side Bar');
    await workbench.until('the chat is at the other side', () => isIn('auxiliarybar'));
    await untilKept('Typed at the left');
    await type('Typed at the right');
    await workbench.runCommand('Open Agent: Move Chat to Primary Side Bar');
    await workbench.until('the chat is back', () => isIn('sidebar'));
    await untilKept('Typed at the right');
    await type('Typed and hidden');
    await workbench.hideChat();
    await chat.show();
    await untilKept('Typed and hidden');
  });
});
