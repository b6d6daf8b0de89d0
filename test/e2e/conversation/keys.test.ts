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
    await chat.answers.getByText('This takes').waitFor();
    await chat.composer.focus();
    await press('Control+Escape');
    await chat.untilIdle();
    gate.open();
  });

  it('send with the next step and after the run (Enter, Alt+Enter), and hold what a stop leaves', async () => {
    const gate = createGate();
    window.expect({ text: ['I begin.', gate] }, { text: 'Then so.' });
    await chat.startSession();
    await chat.send('Begin again.');
    // Before its first request, a run takes what waits along.
    await chat.answers.getByText('I begin.').waitFor();
    await chat.composer.fill('Use tabs.');
    await chat.composer.press('Enter');
    await chat.frame.getByText('Goes with the next step').waitFor();
    await chat.composer.fill('Then test.');
    await chat.composer.press('Alt+Enter');
    await chat.frame.getByText('Goes after this run').waitFor();
    await window.workbench.screenshot('waiting-messages');
    await chat.composer.focus();
    await press('Control+Escape');
    await chat.untilIdle();
    gate.open();
    assert.equal(await chat.frame.getByText('Not sent', { exact: true }).count(), 2);
    await chat.button('Edit: Then test.').click();
    await chat.frame.getByText('Not sent', { exact: true }).nth(1).waitFor({ state: 'detached' });
    assert.equal(await chat.composer.inputValue(), 'Then test.');
    await chat.button('Send: Use tabs.').click();
    await chat.answers.getByText('Then so.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(await chat.promptTexts(), ['Begin again.', 'Use tabs.']);
    assert.equal(await chat.composer.inputValue(), 'Then test.');
    const contents = (await window.request(2)).body.messages.map(({ content }) => content);
    assert.deepEqual(contents.slice(1), ['Begin again.', 'I begin.', 'Use tabs.']);
    await chat.composer.fill('');
  });

  it('take back a message that was not sent yet, which the model never gets', async () => {
    const gate = createGate();
    window.expect({ text: ['I go on.', gate, ' Done.'] });
    await chat.startSession();
    await chat.send('Go on.');
    await chat.answers.getByText('I go on.').waitFor();
    for (const key of ['Enter', 'Alt+Enter']) {
      await chat.composer.fill(`Never mind ${key}.`);
      await chat.composer.press(key);
      await chat.button(`Remove: Never mind ${key}.`).press('Enter');
      await chat.frame.locator('.waiting-row').waitFor({ state: 'detached' });
    }
    gate.open();
    await chat.answers.getByText('I go on. Done.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(await chat.promptTexts(), ['Go on.']);
    assert.equal(await chat.composer.inputValue(), '');
  });

  it('walk through the prompts of all sessions (Up, Down)', async () => {
    await chat.startSession();
    await chat.composer.focus();
    await press('ArrowUp');
    await chat.frame.getByText('Earlier prompt 1 of 4').waitFor();
    assert.equal(await chat.composer.inputValue(), 'Go on.');
    await window.workbench.screenshot('earlier-prompt');
    for (const _ of [1, 2, 3]) await press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), 'Begin.');
    for (const _ of [1, 2, 3, 4]) await press('ArrowDown');
    assert.equal(await chat.composer.inputValue(), '');
  });

  it('offer the modes while the prompt has the focus (Ctrl+.)', async () => {
    await chat.composer.focus();
    await press('Control+.');
    await window.workbench.page.locator('.quick-input-widget').getByText('Plan', { exact: false }).first().waitFor();
    await press('Escape');
  });
});
