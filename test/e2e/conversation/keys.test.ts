import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';

describe('the keys that README names', () => {
  const window = useChatWindow({
    files: { 'src/cart.ts': 'export const total = 41;\n' },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const press = (key: string): Promise<void> => window.workbench.page.keyboard.press(key);

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('stop the run while the prompt has the focus (Ctrl+Escape)', async () => {
    const gate = createGate();
    window.expect({ text: ['This takes', gate, ' long.'] });
    await chat.send('Begin.');
    await chat.activity.waitFor();
    await chat.composer.focus();
    await press('Control+Escape');
    await chat.untilIdle();
    gate.open();
    await chat.composer.fill('not lost');
    assert.equal(await chat.composer.inputValue(), 'not lost');
    await chat.composer.fill('');
  });

  it('offer the modes while the prompt has the focus (Ctrl+.)', async () => {
    await chat.composer.focus();
    await press('Control+.');
    await window.workbench.page.locator('.quick-input-widget').getByText('Plan', { exact: false }).first().waitFor();
    await press('Escape');
  });
});
