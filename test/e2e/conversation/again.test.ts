import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';

describe('an answer that is continued or made again', () => {
  const window = useChatWindow({
    files: { 'src/cart.ts': 'export const total = 41;\n' },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('continues after a stop', async () => {
    const gate = createGate();
    window.expect({ text: ['The first half', gate, ' never.'] }, { text: 'The second half.' });
    await chat.send('Tell me all.');
    await chat.answers.getByText('The first half').waitFor();
    await chat.button('Stop').click();
    await chat.untilIdle();
    gate.open();
    await window.workbench.screenshot('answer-actions');
    await chat.button('Continue').click();
    await chat.answers.getByText('The second half.').waitFor();
    await chat.untilIdle();
    assert.equal(await chat.button('Continue').count(), 0);
  });

  it('edits a prompt in its place and sends it again', async () => {
    await chat.startSession();
    window.expect({ text: 'It is 41.' }, { text: 'It is a number.' });
    await chat.send('What is total in @src/cart.ts?');
    await chat.answers.getByText('It is 41.').waitFor();
    await chat.untilIdle();
    await chat.prompts.hover();
    await chat.button('Edit and Resend').click();
    const field = chat.frame.getByLabel('Edit message');
    await field.fill('Which type has it?');
    await window.workbench.screenshot('prompt-editor');
    await field.press('Enter');
    await chat.answers.getByText('It is a number.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(await chat.promptTexts(), ['Which type has it?']);
    const [first] = (await window.request(2)).body.messages.filter(({ role }) => role === 'user');
    assert.match(String(first?.content), /total = 41[^]*Which type has it\?$/);
    assert.equal(await field.count(), 0);
    assert.equal(await chat.composer.inputValue(), '');
  });

  it('asks what goes back when a prompt is edited whose answer changed a file', async () => {
    const { page } = window.workbench;
    const edit = {
      name: 'apply_edit',
      arguments: { path: 'src/cart.ts', edits: [{ old_text: 'total = 41', new_text: 'total = 42' }] },
    };
    const before = await window.read('src/cart.ts');
    for (const { what, isRestored } of [
      { what: 'Conversation only', isRestored: false },
      { what: 'Files and conversation', isRestored: true },
    ]) {
      await chat.startSession();
      await window.write('src/cart.ts', before);
      window.expect({ toolCalls: [edit] }, { text: 'Raised.' }, { text: 'Then not.' });
      await chat.send('Raise it.');
      await chat.button('Accept').click();
      await chat.answers.getByText('Raised.').waitFor();
      await chat.untilIdle();
      await chat.prompts.hover();
      await chat.button('Edit and Resend').click();
      const field = chat.frame.getByLabel('Edit message');
      await field.fill('Leave it.');
      await field.press('Enter');
      const rows = page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: what }).waitFor();
      assert.equal(await rows.count(), 3);
      await window.workbench.screenshot('resend-what');
      await rows.filter({ hasText: what }).click();
      if (isRestored) {
        await rows.filter({ hasText: 'src/cart.ts' }).waitFor();
        await page.keyboard.press('Enter');
      }
      await chat.answers.getByText('Then not.').waitFor();
      await chat.untilIdle();
      assert.deepEqual(await chat.promptTexts(), ['Leave it.']);
      assert.equal(await window.read('src/cart.ts'), isRestored ? before : before.replace('41', '42'));
    }
  });

  it('makes the answer again, and brings the old one back with Undo', async () => {
    await chat.startSession();
    window.expect({ text: 'A poor answer.' }, { text: 'A good answer.' });
    await chat.send('What is total in @src/cart.ts?');
    await chat.answers.getByText('A poor answer.').waitFor();
    await chat.untilIdle();
    await chat.button('Regenerate Answer').click();
    await chat.answers.getByText('A good answer.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(await chat.answerTexts(), ['A good answer.']);
    assert.equal((await chat.promptTexts()).length, 1);
    const [before, after] = [(await window.request(1)).body.messages, (await window.request(2)).body.messages];
    assert.deepEqual(after, before);
    await chat.button('Undo').click();
    await chat.answers.getByText('A poor answer.').waitFor();
    await window.workbench.screenshot('answer-regenerated');
  });
});
