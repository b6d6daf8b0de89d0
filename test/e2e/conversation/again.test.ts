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

  it('makes the answer again, and brings the old one back with Undo', async () => {
    await chat.startSession();
    window.expect({ text: 'A poor answer.' }, { text: 'A good answer.' });
    await chat.send('What is total in @src/cart.ts?');
    await chat.answers.getByText('A poor answer.').waitFor();
    await chat.untilIdle();
    await chat.button('Regenerate Answer').click();
    await chat.answers.getByText('A good answer.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(await chat.answers.allInnerTexts(), ['A good answer.']);
    assert.equal(await chat.prompts.count(), 1);
    const [before, after] = [(await window.request(1)).body.messages, (await window.request(2)).body.messages];
    assert.deepEqual(after, before);
    await chat.button('Undo').click();
    await chat.answers.getByText('A poor answer.').waitFor();
    await window.workbench.screenshot('answer-regenerated');
  });
});
