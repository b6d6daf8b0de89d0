import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { safetySample } from '../../support/safetySample';
import { Chat } from '../support/chat';
import { everyBytes, positionAfter } from '../support/recordings';

const textRecording = 'llama-server/qwen2.5-text.sse';
const thinkingRecording = 'llama-server/qwen3-thinking-text.sse';

describe('a conversation in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/main.ts': 'export const answer = 42;\n' },
    modelServer: { models: ['coder-7b', 'tiny-1b'] },
  });
  const chat = new Chat(() => window.workbench);

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('shows an answer while it streams', async () => {
    const gate = createGate();
    window.expect({
      kind: 'recording',
      file: textRecording,
      splitAt: everyBytes(textRecording, 301),
      holdAt: { byte: positionAfter(textRecording, 'quotes".\n\n```ts\nconst'), gate },
    });
    await chat.send('What is in this project?');
    const request = await window.request(1);
    await gate.reached;

    await chat.answers.getByText('const', { exact: false }).waitFor();
    assert.equal(await chat.activity.innerText(), 'Answering');
    assert.equal(await chat.composer.inputValue(), '');
    assert.equal(await chat.button('Stop').isVisible(), true);
    assert.equal(await chat.title.innerText(), 'What is in this project?');
    gate.open();
    await chat.untilIdle();

    assert.equal(await chat.answers.locator('h1, h2, h3').innerText(), 'Title');
    assert.equal(await chat.answers.locator('p').innerText(), 'Here is code and a 😀 and "quotes".');
    assert.equal((await chat.answers.locator('pre code').innerText()).trim(), 'const a: number = 1;');
    await chat.answers.locator('pre code .hljs-keyword').getByText('const').waitFor();
    const speed = chat.answers.locator('.answer-speed');
    assert.match(
      (await speed.getAttribute('data-text')) ?? '',
      /^54 tokens\/s · first token after (?:< 0\.1|\d+\.\d) s$/,
    );
    await speed.focus();
    await window.workbench.screenshot('chat-answer-speed');
    assert.deepEqual(
      request.body.messages.map(({ role }) => role),
      ['system', 'user'],
    );
    assert.equal(request.body.messages[1]?.content, 'What is in this project?');
    assert.equal(request.body.model, 'coder-7b');
    assert.equal(request.body.stream, true);
    assert.equal(request.headers.authorization, undefined);
    await window.workbench.screenshot('chat-answer');
  });

  it('writes from right to left where the words are', async () => {
    window.expect({ text: 'الدالة `total()` تجمع.\n\nIn English.' });
    await chat.startSession();
    await chat.send('ماذا تفعل؟');
    await chat.untilIdle();
    const directions = (selector: string) =>
      chat.frame
        .locator(selector)
        .evaluateAll((all) =>
          all.map((element) => element.ownerDocument.defaultView?.getComputedStyle(element).direction),
        );
    assert.deepEqual(await directions('.answer .markdown p'), ['rtl', 'ltr']);
    assert.deepEqual(await directions('.answer code'), ['ltr']);
    assert.deepEqual(await directions('.prompt-text'), ['rtl']);
    await window.workbench.screenshot('chat-right-to-left');
  });

  it('collapses the thinking of the model, during and after it', async () => {
    const gate = createGate();
    window.expect({
      kind: 'recording',
      file: thinkingRecording,
      holdAt: { byte: positionAfter(thinkingRecording, 'Short thought'), gate },
    });
    await chat.startSession();
    await chat.send('What is the answer?');
    await gate.reached;
    await chat.button('Thinking…').waitFor();
    assert.equal(await chat.frame.getByText('Short thought').isVisible(), false);
    gate.open();
    await chat.untilIdle();

    assert.equal(await chat.newestAnswer(), 'The answer is 42.');
    const thought = chat.frame.locator('.thinking .disclosure');
    assert.equal(await thought.getAttribute('aria-expanded'), 'false');
    await thought.click();
    assert.equal((await chat.frame.locator('.thinking-text').innerText()).trim(), 'Short thought.');
  });

  it('reads a file for the model and sends its text back', async () => {
    const file = 'llama-server/qwen2.5-tool-call.sse';
    window.expect({ kind: 'recording', file, splitAt: everyBytes(file, 97) }, { text: 'It exports the answer.' });
    await chat.startSession();
    await chat.send('Look at src/main.ts');
    const request = await window.request(2);
    await chat.answers.getByText('It exports the answer.').waitFor();
    await chat.untilIdle();

    const card = chat.frame.locator('.tool');
    assert.equal(await card.count(), 1);
    assert.equal(await card.getAttribute('aria-label'), 'Read src/main.ts');
    await card.locator('.tool-head').click();
    await card.getByText('export const answer = 42;').waitFor();
    const [system, user, call, result] = request.body.messages;
    assert.equal(system?.role, 'system');
    assert.equal(user?.content, 'Look at src/main.ts');
    assert.equal(call?.tool_calls?.[0]?.function.name, 'read_file');
    assert.deepEqual(JSON.parse(call?.tool_calls?.[0]?.function.arguments ?? ''), { path: 'src/main.ts' });
    assert.equal(result?.role, 'tool');
    assert.equal(result?.tool_call_id, call?.tool_calls?.[0]?.id);
    assert.match(result?.content ?? '', /export const answer = 42;/);
    assert.equal(request.body.messages.length, 4);
  });

  it('folds what was read one after the other into a line, which opens with the keyboard', async () => {
    const read = (path: string) => ({ name: 'read_file', arguments: { path } });
    window.expect(
      { toolCalls: [read('src/main.ts'), { name: 'search_text', arguments: { pattern: 'answer' } }] },
      { toolCalls: [read('src/main.ts')] },
      { text: 'It is in one place.' },
    );
    await chat.startSession();
    await chat.send('Where is the answer?');
    await chat.answers.getByText('It is in one place.').waitFor();
    await chat.untilIdle();

    const line = chat.button('Read a file, searched once');
    assert.equal(await line.getAttribute('aria-expanded'), 'false');
    assert.equal(await chat.frame.locator('.tool').count(), 0);
    await window.workbench.screenshot('readings-folded');
    await line.press('Enter');
    assert.deepEqual(
      await chat.frame.locator('.tool').evaluateAll((all) => all.map((card) => card.getAttribute('aria-label'))),
      ['Read src/main.ts', 'Search answer', 'Read src/main.ts'],
    );
    await window.workbench.screenshot('readings-open');
  });

  it('runs a tool call that arrives as text', async () => {
    const file = 'llama-server/tool-call-as-text-wrong-template.sse';
    window.expect({ kind: 'recording', file }, { text: 'Read it.' });
    await chat.startSession();
    await chat.send('Look at it once more');
    await chat.answers.getByText('Read it.').waitFor();
    await chat.untilIdle();

    assert.equal(await chat.frame.locator('.tool').getAttribute('aria-label'), 'Read src/main.ts');
    assert.deepEqual(await chat.answerTexts(), ['Sure.', 'Read it.']);
    const { messages } = (await window.request(2)).body;
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    );
    assert.match(messages[3]?.content ?? '', /export const answer = 42;/);
  });

  it('adds a message to a running task', async () => {
    const gate = createGate();
    window.expect(
      { text: ['I look first.', gate], toolCalls: [{ name: 'read_file', arguments: { path: 'src/main.ts' } }] },
      { text: 'In French: quarante-deux.' },
    );
    await chat.startSession();
    await chat.send('Which number is exported?');
    await gate.reached;
    await chat.composer.fill('Answer in French');
    await chat.button('Send with the Next Step').click();
    await chat.frame.getByRole('listitem').filter({ hasText: 'Answer in FrenchGoes with the next step' }).waitFor();
    gate.open();
    await chat.prompts.getByText('Answer in French').waitFor();
    await chat.answers.getByText('quarante-deux').waitFor();
    await chat.untilIdle();

    const { messages } = (await window.request(2)).body;
    assert.deepEqual(
      messages.map(({ role }) => role),
      // The templates of many models need an assistant message between a tool result and a user message.
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
    );
    assert.equal(messages[5]?.content, 'Answer in French');
  });

  it('stops an answer and keeps the part that arrived', async () => {
    const gate = createGate();
    window.expect({ text: ['One, two, ', gate, 'three.'] }, { text: 'Three.' });
    await chat.startSession();
    await chat.send('Count to three');
    const request = await window.request(1);
    await chat.answers.getByText('One, two,').waitFor();
    await chat.button('Stop').click();
    assert.equal(await request.closed, 'broken');
    await chat.untilIdle();
    await chat.answers.getByText('Stopped here.').waitFor();

    await chat.send('And then?');
    const { messages } = (await window.request(2)).body;
    await chat.untilIdle();
    assert.deepEqual(
      messages.slice(1).map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.match(messages[2]?.content ?? '', /^One, two,/);
    assert.equal(await chat.newestAnswer(), 'Three.');
  });

  it('opens a past session while another one runs', async () => {
    const gate = createGate();
    window.expect({ text: ['A long ', gate, 'story.'] }, { text: 'A short story.' });
    await chat.startSession();
    await chat.send('Tell a long story');
    await gate.reached;
    await chat.startSession();
    await chat.button('Past Sessions').click();
    const list = chat.frame.locator('.session-list');
    const running = list.locator('.session', { hasText: /Tell a long story/ });
    await running.getByText('running').waitFor();
    await list.locator('.session', { hasText: /What is the answer\?/ }).click();
    await chat.title.filter({ hasText: 'What is the answer?' }).waitFor();
    assert.equal(await chat.newestAnswer(), 'The answer is 42.');

    gate.open();
    await chat.button('Past Sessions').click();
    await running.getByText('running').waitFor({ state: 'detached' });
    await running.click();
    await chat.title.filter({ hasText: 'Tell a long story' }).waitFor();
    assert.equal(await chat.newestAnswer(), 'A long story.');
    // The session continues from its last message.
    await chat.send('Now a short one');
    const { messages } = (await window.request(2)).body;
    await chat.untilIdle();
    assert.deepEqual(
      messages.slice(1).map(({ role, content }) => [role, content]),
      [
        ['user', 'Tell a long story'],
        ['assistant', 'A long story.'],
        ['user', 'Now a short one'],
      ],
    );
  });

  it('asks before it opens a link whose text names another address', async () => {
    const { input, expected } = safetySample('WV17');
    const [, text = '', address = ''] = /^\[(.*)\]\((.*)\)$/.exec(input) ?? [];
    assert.match(expected, /confirm dialog shows the real URL/);
    // Its first letter is Cyrillic.
    const lookalike = 'https://\u0430pple.com/a';
    window.expect({ text: `See ${input} or ${lookalike}.` });
    await chat.startSession();
    await chat.send('Where?');
    for (const [name, shown, leads] of [
      ['misleading', text, address],
      ['lookalike', lookalike, 'https://xn--pple-43d.com/a'],
    ] as const) {
      await chat.frame.getByRole('link', { name: shown }).click();
      const dialog = window.workbench.page.locator('.monaco-dialog-box');
      await dialog.waitFor();
      const said = await dialog.innerText();
      assert.ok(said.includes(`It shows ${shown}`) && said.includes(`It leads to ${leads}`), said);
      await window.workbench.screenshot(`e2e-${name}-link`);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await chat.untilIdle();
  });

  it('uses the model picked from the list of the server', async () => {
    window.expect({ text: 'Tiny here.' }, { text: 'Coder here.' });
    await chat.startSession();
    await chat.button('Model: coder-7b').click();
    await chat.frame.getByRole('menuitemradio', { name: /tiny-1b/ }).click();
    await chat.untilModel('tiny-1b');
    await chat.send('Who are you?');
    assert.equal((await window.request(1)).body.model, 'tiny-1b');
    await chat.untilIdle();

    await window.workbench.pick('Open Agent: Select Model…', 'coder-7b');
    await chat.untilModel('coder-7b');
    await chat.send('And who are you?');
    const { model, messages } = (await window.request(2)).body;
    await chat.untilIdle();
    assert.equal(model, 'coder-7b');
    assert.equal(messages.length, 4);
  });

  it('loses nothing when the panel is hidden while an answer streams', async () => {
    const [first, second] = [createGate(), createGate()];
    window.expect({ text: ['Seen. ', first, 'Unseen. ', second, 'Seen again.'] });
    await chat.startSession();
    await chat.send('Answer in three parts');
    await chat.answers.getByText('Seen.').waitFor();
    await chat.composer.fill('a thought of mine');
    await window.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await window.workbench.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    first.open();
    await second.reached;
    await window.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await chat.answers.getByText('Seen. Unseen.').waitFor();
    assert.equal(await chat.activity.innerText(), 'Answering');
    assert.equal(await chat.composer.inputValue(), 'a thought of mine');
    second.open();
    await chat.untilIdle();
    assert.equal(await chat.newestAnswer(), 'Seen. Unseen. Seen again.');
    await chat.composer.fill('');
  });

  it('loses nothing when the panel is moved while an answer streams', async () => {
    const [first, second, third] = [createGate(), createGate(), createGate()];
    window.expect({ text: ['Left. ', first, 'On the way. ', second, 'Right. ', third, 'Left again.'] });
    await chat.startSession();
    await chat.send('Where are you?');
    await chat.answers.getByText('Left.').waitFor();
    await chat.composer.fill('wait for me');
    await moveView('New Secondary Side Bar Entry');
    const secondary = window.workbench.page.locator('.part.auxiliarybar');
    await secondary.waitFor();
    await chat.answers.getByText('Left.').waitFor();
    assert.equal(await chat.composer.inputValue(), 'wait for me');
    first.open();
    await chat.answers.getByText('Left. On the way.').waitFor();
    await window.workbench.screenshot('chat-secondary-side-bar');
    await moveView('New Panel Entry');
    await window.workbench.page.locator('.part.panel').waitFor();
    second.open();
    await chat.answers.getByText('Left. On the way. Right.').waitFor();
    assert.equal(await chat.activity.innerText(), 'Answering');
    await window.workbench.runCommand('View: Reset View Locations');
    third.open();
    await chat.show();
    await chat.untilIdle();
    assert.equal(await chat.newestAnswer(), 'Left. On the way. Right. Left again.');
    assert.deepEqual(await chat.promptTexts(), ['Where are you?']);
    assert.equal(await chat.composer.inputValue(), 'wait for me');
    await chat.composer.fill('');
  });

  /** Moves the chat with VS Code's command "Move View". */
  async function moveView(destination: string): Promise<void> {
    const rows = window.workbench.page.locator('.quick-input-list .monaco-list-row');
    await window.workbench.pick('View: Move View', 'Chat');
    await rows.filter({ hasText: destination }).click();
  }

  it('applies changed settings without a reload', async () => {
    window.expect({ text: 'Cold.' }, { text: 'Warm.' });
    await chat.startSession();
    await chat.send('How warm is it?');
    await chat.untilIdle();
    const cold = (await window.request(1)).body;
    assert.equal('temperature' in cold, false);
    assert.equal('max_tokens' in cold || 'max_completion_tokens' in cold, false);

    await window.workbench.updateSettings({
      'openAgent.temperature': 0.2,
      'openAgent.maxTokens': 512,
      'openAgent.systemPrompt': 'Always be polite.',
      'openAgent.model': 'tiny-1b',
    });
    await chat.untilModel('tiny-1b');
    await chat.send('And now?');
    const warm = (await window.request(2)).body;
    await chat.untilIdle();
    assert.equal(warm['temperature'], 0.2);
    assert.equal(warm['max_tokens'] ?? warm['max_completion_tokens'], 512);
    assert.equal(warm.model, 'tiny-1b');
    assert.match(warm.messages[0]?.content ?? '', /From the user:\nAlways be polite\.$/);
    assert.deepEqual(
      warm.messages.slice(1).map(({ role, content }) => [role, content]),
      [
        ['user', 'How warm is it?'],
        ['assistant', 'Cold.'],
        ['user', 'And now?'],
      ],
    );
  });
});
