import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { unevenNesting } from '../../support/markdown/nestedMarkdown';
import { sendPrompt } from '../../support/window/sendPrompt';
import { Chat } from '../support/chat';
import { sessionFileWith } from '../support/sessionFiles';

describe('a reloaded window', () => {
  const window = useChatWindow({
    files: { 'src/price.ts': 'export const price = 1;\n' },
    modelServer: { models: ['coder-7b', 'tiny-1b'] },
  });
  const chat = new Chat(() => window.workbench);

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  /** Reloads the window and waits until the panel shows the model. */
  async function reload(model = 'coder-7b'): Promise<void> {
    await window.workbench.reload();
    await chat.composer.waitFor();
    await chat.untilModel(model);
  }

  it('marks the half of an answer, keeps the unsent prompt, and continues the answer', async () => {
    const gate = createGate();
    window.expect({ text: ['The first half, ', gate, 'never heard.'] }, { text: 'the second half.' });
    await chat.send('Say something in two halves');
    await chat.answers.getByText('The first half,').waitFor();
    await chat.composer.fill('a question for later');
    const first = await window.request(1);

    await reload();
    assert.equal(await first.closed, 'broken');
    gate.open();
    await chat.prompts.first().waitFor();
    assert.equal(await chat.title.innerText(), 'Say something in two halves');
    assert.deepEqual(await chat.promptTexts(), ['Say something in two halves']);
    assert.match(await chat.newestAnswer(), /^The first half,\s+.*Stopped here\.$/su);
    assert.match(await chat.notices.innerText(), /The last answer was interrupted/);
    assert.equal(await chat.composer.inputValue(), 'a question for later');
    assert.equal(window.server.completions.length, 1, 'nothing is asked by itself');
    await window.workbench.screenshot('reload-in-mid-answer');

    await chat.button('Continue').click();
    const { body } = await window.request(2);
    await chat.answers.getByText('the second half.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(
      body.messages.map(({ role, content }) => (role === 'system' ? role : [role, content])),
      ['system', ['user', 'Say something in two halves'], ['assistant', 'The first half, '], ['user', 'Continue.']],
    );
    assert.equal(body.messages[0]?.content, (first.body.messages[0] ?? {}).content);
    assert.equal(await chat.notices.count(), 0);
    assert.equal(await chat.composer.inputValue(), 'a question for later');
    await chat.composer.fill('');
  });

  it('shows the same conversation and the picked model', async () => {
    await chat.button('Model: coder-7b').click();
    await chat.frame.getByRole('menuitemradio', { name: /tiny-1b/ }).click();
    await chat.untilModel('tiny-1b');
    const before = await chat.answerTexts();
    window.expect({ text: 'Tiny now.' });

    await reload('tiny-1b');
    assert.deepEqual(await chat.answerTexts(), before);
    assert.equal(await chat.notices.count(), 0);
    assert.equal(await chat.activity.isVisible(), false);
    await chat.send('Who are you?');
    const { body } = await window.request(1);
    await chat.untilIdle();
    assert.equal(body.model, 'tiny-1b');
    assert.deepEqual(
      body.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user', 'assistant', 'user'],
    );
    await chat.button('Model: tiny-1b').click();
    await chat.frame.getByRole('menuitemradio', { name: /coder-7b/ }).click();
    await chat.untilModel('coder-7b');
  });

  it('withdraws an open question and closes its proposal', async () => {
    const edits = [{ old_text: 'price = 1', new_text: 'price = 2' }];
    window.expect(
      {
        text: `I raise it.\n\n${unevenNesting()}`,
        toolCalls: [{ name: 'apply_edit', arguments: { path: 'src/price.ts', edits } }],
      },
      { text: 'It was not raised.' },
    );
    await chat.startSession();
    // The long answer may move the prompt out of sight, and out of the page, at once.
    await sendPrompt(window.workbench, chat.composer, 'Raise the price');
    await chat.button('Accept').waitFor();
    await window.workbench.page.locator('.monaco-diff-editor').waitFor();
    // Deeply nested Markdown leaves everything usable, also after the reload.
    await chat.answers.getByText('I raise it.').waitFor();
    assert.equal(await chat.button('Stop').isEnabled(), true);
    await window.workbench.screenshot('e2e-nested-answer');

    await reload();
    await chat.answers.getByText('I raise it.').waitFor();
    const card = window.card('Edit src/price.ts');
    await card.locator('.tool-summary').getByText('Stopped before it was approved.').waitFor();
    assert.equal(await chat.button('Accept').count(), 0);
    assert.equal(await window.read('src/price.ts'), 'export const price = 1;\n');
    await window.workbench.until('no proposal is open', async () => (await window.workbench.tabs()).length === 0);

    await chat.button('Continue').click();
    const { messages } = (await window.request(2)).body;
    await chat.answers.getByText('It was not raised.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    );
    assert.equal(messages[3]?.tool_call_id, messages[2]?.tool_calls?.[0]?.id);
    assert.match(messages[3]?.content ?? '', /not |interrupted/i);
    assert.equal(await window.read('src/price.ts'), 'export const price = 1;\n');
  });

  it('ends a running command and does not run it again', async () => {
    window.expect(
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'echo $$ >> pids; exec sleep 1000' } }] },
      { text: 'It was stopped.' },
    );
    await chat.startSession();
    await chat.send('Sleep');
    await chat.button('Run').click();
    let pids = '';
    await window.workbench.until('the command runs', async () => {
      pids = await window.read('pids').catch(() => '');
      return pids.endsWith('\n');
    });

    await reload();
    await window.workbench.until('the command has ended', () => !isAlive(Number(pids)));
    await chat.frame.locator('.tool-summary').waitFor();
    assert.equal(await chat.button('Run').count(), 0);
    await chat.button('Continue').click();
    const { messages } = (await window.request(2)).body;
    await chat.answers.getByText('It was stopped.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    );
    assert.equal(await window.read('pids'), pids);
  });

  it('shows the readable part of a damaged file, reports the rest once, and does not change the file', async () => {
    window.expect({ text: 'First answer.' }, { text: 'Second answer.' }, { text: 'Third answer.' });
    await chat.startSession();
    await chat.send('First question');
    await chat.answers.getByText('First answer.').waitFor();
    await chat.untilIdle();
    await chat.send('Second question');
    await chat.answers.getByText('Second answer.').waitFor();
    await chat.untilIdle();
    const file = await sessionFileWith(window.workbench.server.serverDataDir, 'Second question');
    const lines = (await readFile(file, 'utf8')).split('\n');
    const broken = lines.findIndex((line) => line.includes('First answer.'));
    // A disk error in the middle and a line cut by a crash at the end.
    const damaged = [...lines.slice(0, broken), '{"v":1,"id":"\0\0\0', ...lines.slice(broken + 1, -1), '{"v":1,"ty'];
    await writeFile(file, damaged.join('\n'));

    await reload();
    const lost = `Lines ${broken + 1}, ${damaged.length} of this session's file could not be read and were left out.`;
    await chat.notices.getByText(`${lost} The file itself was not changed: ${file}`).waitFor();
    assert.deepEqual(await chat.promptTexts(), ['First question', 'Second question']);
    assert.deepEqual(await chat.answerTexts(), ['Second answer.']);
    await chat.send('Third question');
    await chat.answers.getByText('Third answer.').waitFor();
    await chat.untilIdle();
    const { messages } = (await window.request(3)).body;
    assert.deepEqual(
      messages
        .slice(1)
        .map(({ role, content }) => [role, content])
        .at(-1),
      ['user', 'Third question'],
    );
    assert.equal((await readFile(file, 'utf8')).startsWith(damaged.join('\n')), true);
    assert.equal(await readFile(`${file}.damaged`, 'utf8'), '{"v":1,"id":"\0\0\0\n{"v":1,"ty\n');

    await reload();
    await chat.answers.getByText('Third answer.').waitFor();
    assert.equal(await chat.notices.count(), 0);
  });

  it('keeps the unsent prompt of an empty session', async () => {
    window.expect();
    await chat.startSession();
    await chat.composer.fill('two\nlines');
    await reload();
    await window.workbench.until('the prompt is back', async () => (await chat.composer.inputValue()) === 'two\nlines');
    assert.equal(await chat.title.innerText(), 'New session');
    assert.deepEqual(window.server.unexpected, []);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
