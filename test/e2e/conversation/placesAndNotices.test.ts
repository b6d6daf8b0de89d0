import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('places and notices of a conversation in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'a.txt': 'a\n' },
    modelServer: { models: ['coder-7b'] },
    settings: { 'openAgent.maxTokens': 500 },
  });
  const chat = new Chat(() => window.workbench);
  const jump = () => chat.button('Jump to Latest');
  const longText = Array.from({ length: 120 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
  const scroller = () => chat.frame.getByRole('region', { name: 'Conversation' });
  /** The distance of a paragraph from the top of the conversation, in pixels. */
  const topOf = async (text: string): Promise<number> => {
    const [paragraph, region] = await Promise.all([
      chat.answers.getByText(text, { exact: true }).boundingBox(),
      scroller().boundingBox(),
    ]);
    assert.ok(paragraph && region);
    return Math.round(paragraph.y - region.y);
  };

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('offers to jump only where something scrolls, and keeps the place while another session is on screen', async () => {
    await window.ask('Short, please', { text: 'Short.' });
    await window.untilAnswered('Short.');
    await scroller().hover();
    await window.workbench.page.mouse.wheel(0, -400);
    assert.equal(await jump().count(), 0);

    await window.newSession();
    await window.ask('Long, please', { text: longText });
    await chat.untilIdle();
    assert.equal(await jump().count(), 0);
    await chat.answers.getByText('Paragraph 60.', { exact: true }).scrollIntoViewIfNeeded();
    await jump().waitFor();
    const place = await topOf('Paragraph 60.');
    await window.workbench.screenshot('e2e-jump-to-latest');

    for (const title of ['Short, please', 'Long, please']) {
      await chat.button('Past Sessions').click();
      await chat.frame.locator('.session-row').filter({ hasText: title }).locator('.session').click();
      await chat.title.filter({ hasText: title }).waitFor();
      if (title.startsWith('Short')) assert.equal(await jump().count(), 0);
    }
    await jump().waitFor();
    // Positions are rounded to whole pixels.
    assert.ok(Math.abs((await topOf('Paragraph 60.')) - place) <= 1);
    await jump().click();
    await jump().waitFor({ state: 'detached' });
    await chat.answers.getByText('Paragraph 119.', { exact: true }).waitFor();
  });

  it('offers to continue an answer that reached its length limit, and says so once', async () => {
    await window.newSession();
    await window.ask('Count', { text: 'One, two,', finishReason: 'length' }, { text: 'three.' });
    await chat.answers.getByText('The answer ended here: its token limit was reached.').waitFor();
    await chat.untilIdle();
    await window.workbench.screenshot('e2e-length-limit');
    assert.equal(await chat.notices.count(), 0);
    assert.equal(await chat.button('Continue').count(), 1);
    assert.equal(await chat.button('Retry').count(), 0);
    await chat.button('Continue').click();
    await window.untilAnswered('three.');
    assert.deepEqual(
      (await window.request(2)).body.messages.slice(1).map(({ role, content }) => [role, content]),
      [
        ['user', 'Count'],
        ['assistant', 'One, two,'],
        ['user', 'Continue.'],
      ],
    );
    assert.equal(await chat.button('Continue').count(), 0);
  });

  it('says once that an answer repeats itself, with one way to go on', async () => {
    await window.newSession();
    await window.ask('Count', { text: `One. ${'And again. '.repeat(400)}` }, { text: 'Two.' });
    await chat.notices.waitFor();
    await chat.untilIdle();
    await window.workbench.screenshot('e2e-cut-loop');
    assert.equal(await chat.notices.count(), 1);
    const buttons = (await chat.notices.locator('.button-row button').allInnerTexts()).map((label) => label.trim());
    assert.deepEqual(buttons, ['Continue', 'Show Log']);
    assert.equal(await chat.button('Continue').count(), 1);
    assert.equal(await chat.button('Retry').count(), 0);
    // The message calls the button by its name.
    assert.match(
      await chat.notices.innerText(),
      /^coder-7b kept repeating the same text, so its answer was cut off\. Continue, rephrase the prompt,/,
    );
    await chat.button('Continue').click();
    await window.untilAnswered('Two.');
  });

  it('calls a new file created, before and after it is accepted', async () => {
    await window.newSession();
    const made = { toolCalls: [{ name: 'write_file', arguments: { path: 'made.txt', content: 'made\n' } }] };
    await window.ask('Make it', made, { text: 'Made.' });
    await window.card('Create made.txt').getByRole('button', { name: 'Accept', exact: true }).click();
    await window.untilAnswered('Made.');
    await window.card('Create made.txt').waitFor();
    assert.equal(await chat.frame.getByText('Write made.txt').count(), 0);
    assert.equal(await window.read('made.txt'), 'made\n');
  });
});
