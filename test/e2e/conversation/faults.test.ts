import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import type { Turn } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';

interface Fault {
  readonly name: string;
  readonly turn: Turn;
  /** The notice matches all of these, and names the URL. */
  readonly says: readonly RegExp[];
  readonly actions: readonly string[];
  /** The same request may succeed later, so it is retried three times automatically. */
  readonly isTemporary?: boolean;
}

const faults: readonly Fault[] = [
  {
    name: 'an error 500 with a body',
    turn: { kind: 'status', status: 500, body: { error: { code: 500, message: 'CUDA error: out of memory' } } },
    says: [/failed \(500\)/, /CUDA error: out of memory/],
    actions: ['Retry', 'Check Server', 'Show Log'],
    isTemporary: true,
  },
  {
    name: 'an error 500 without a body',
    turn: { kind: 'status', status: 500, body: '' },
    says: [/failed \(500\)/, /It gave no reason/],
    actions: ['Retry', 'Check Server', 'Show Log'],
    isTemporary: true,
  },
  {
    name: 'a web page instead of an answer',
    turn: {
      kind: 'status',
      status: 200,
      contentType: 'text/html',
      body: '<!doctype html><html><head><title>Sign in</title></head><body>Welcome to nginx!</body></html>',
    },
    says: [/answered 200 with a web page/, /Welcome to nginx!/],
    actions: ['Retry', 'Check Server', 'Open Settings', 'Show Log'],
  },
  {
    name: 'the web page of a failing proxy',
    turn: { kind: 'status', status: 502, contentType: 'text/html', body: '<html><body>502 Bad Gateway</body></html>' },
    says: [/answered 502 with a web page/, /502 Bad Gateway/],
    actions: ['Retry', 'Check Server', 'Show Log'],
    isTemporary: true,
  },
  {
    name: 'an unknown model (404)',
    turn: { kind: 'status', status: 404, body: { error: { message: "model 'coder-7b' not found" } } },
    says: [/\(404\)/, /It says: model 'coder-7b' not found/, /the server has the model "coder-7b"/],
    actions: ['Select Model', 'Open Settings', 'Retry'],
  },
  {
    name: 'a refusal (401)',
    turn: { kind: 'status', status: 401, body: { error: { message: 'Invalid API Key' } } },
    says: [/refused access \(401\)/, /Invalid API Key/],
    actions: ['Set API Key…', 'Retry', 'Show Log'],
  },
  {
    name: 'a connection that ends before the answer begins',
    turn: { kind: 'raw', writes: [], cut: true },
    says: [/connection/],
    actions: ['Retry', 'Check Server', 'Show Log'],
  },
  {
    name: 'an error in the stream',
    turn: { kind: 'raw', writes: ['data: {"error":{"code":500,"message":"slot is gone"}}\n\n'] },
    says: [/failed \(500\)/, /slot is gone/],
    actions: ['Retry', 'Check Server', 'Show Log'],
    isTemporary: true,
  },
  {
    name: 'a JSON answer that is no completion',
    turn: { kind: 'status', status: 200, body: { status: 'ok' } },
    says: [/not a chat completion/, /"status":"ok"/],
    actions: ['Retry', 'Check Server', 'Open Settings', 'Show Log'],
  },
  {
    name: 'an empty answer',
    turn: { kind: 'status', status: 200, body: '' },
    says: [/ended the connection without an answer/],
    actions: ['Retry', 'Check Server', 'Show Log'],
  },
  {
    name: 'a stream in which every chunk is malformed',
    turn: { kind: 'raw', writes: ['data: {broken\n\n', 'data: also broken}\n\n'] },
    says: [/not a chat completion: "\{broken also broken\}"/],
    actions: ['Retry', 'Check Server', 'Open Settings', 'Show Log'],
  },
  {
    name: 'a redirect, which could take the key elsewhere',
    turn: { kind: 'status', status: 302, body: '', headers: { location: 'http://127.0.0.1:9/v1/chat/completions' } },
    says: [/redirects to http:\/\/127\.0\.0\.1:9\//],
    actions: ['Retry', 'Check Server', 'Open Settings', 'Show Log'],
  },
];

describe('a conversation with a failing model server', () => {
  const window = useChatWindow({
    files: { 'src/main.ts': 'export const answer = 42;\n' },
    modelServer: { models: ['coder-7b', 'tiny-1b'] },
  });
  const chat = new Chat(() => window.workbench);
  const noticeText = async () => (await chat.notices.innerText()).replaceAll(/\s+/g, ' ');
  const actions = async () =>
    (await chat.notices.locator('.button-row button').allInnerTexts()).map((label) => label.trim());

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  for (const { name, turn, says, actions: offered, isTemporary } of faults) {
    it(`survives ${name}`, async () => {
      const failures = isTemporary ? [turn, turn, turn, turn] : [turn];
      window.expect(...failures, { text: 'Here it is.' });
      await chat.startSession();
      await chat.send('What is the answer?');
      if (isTemporary) await chat.activity.getByText('Trying again (3 of 3)').waitFor();
      await chat.notices.waitFor();
      await chat.untilIdle();
      const text = await noticeText();
      for (const expected of says) assert.match(text, expected);
      assert.ok(text.includes(`${window.server.baseUrl}/chat/completions`), text);
      assert.deepEqual(await actions(), offered);
      // The prompt is shown, and no part of the failure looks like an answer.
      assert.deepEqual(await chat.promptTexts(), ['What is the answer?']);
      assert.deepEqual(await chat.answerTexts(), []);

      await chat.notices.getByRole('button', { name: 'Retry' }).click();
      await chat.answers.getByText('Here it is.').waitFor();
      await chat.untilIdle();
      const first = await window.request(1);
      for (let number = 2; number <= failures.length + 1; number++) {
        assert.equal((await window.request(number)).text, first.text);
      }
      assert.equal(await chat.notices.count(), 0);
      assert.deepEqual(await chat.promptTexts(), ['What is the answer?']);
    });
  }

  it('keeps the first part of an answer that ends too early, and continues from there', async () => {
    window.expect({ text: '# Title\n\nHere is `code`', finishReason: null }, { text: 'and the rest.' });
    await chat.startSession();
    await chat.send('Show me code');
    await chat.notices.waitFor();
    await chat.untilIdle();
    assert.match(await noticeText(), /was cut off: the stream ended without a finish reason/);
    assert.equal(await chat.answers.locator('h1').innerText(), 'Title');
    await chat.answers.getByText('The answer was cut off before it was finished.').waitFor();
    await window.workbench.screenshot('faults-cut-stream');

    await chat.notices.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('and the rest.').waitFor();
    await chat.untilIdle();
    const { messages } = (await window.request(2)).body;
    assert.deepEqual(
      messages.slice(1).map(({ role, content }) => [role, content]),
      [
        ['user', 'Show me code'],
        ['assistant', '# Title\n\nHere is `code`'],
        ['user', 'Continue.'],
      ],
    );
    assert.equal(await chat.notices.count(), 0);
  });

  it('does not run a tool call when the connection breaks, even with complete arguments, and asks again', async () => {
    const call = { name: 'write_file', arguments: { path: 'src/main.ts', content: 'lost\n' } };
    window.expect({ text: 'I write it.', toolCalls: [call], cut: true }, { text: 'Never mind.' });
    await chat.startSession();
    await chat.send('Write it');
    await chat.answers.getByText('Never mind.').waitFor();
    await chat.untilIdle();
    assert.equal(await chat.button('Accept').count(), 0);
    assert.equal(await window.read('src/main.ts'), 'export const answer = 42;\n');
    await window.workbench.screenshot('faults-cut-call');
    const { messages } = (await window.request(2)).body;
    assert.deepEqual(
      messages.slice(1).map(({ role, content, tool_calls: calls }) => [role, content, calls]),
      [['user', 'Write it', undefined]],
    );
    assert.equal(await window.read('src/main.ts'), 'export const answer = 42;\n');
  });

  it('skips malformed chunks and reports them', async () => {
    const chunk = (content: string): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
    const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
    window.expect(
      {
        kind: 'raw',
        writes: [chunk('One, '), 'data: {broken\n\n', ': a comment\n\n', chunk('two.'), end, 'data: [DONE]\n\n'],
      },
      { text: 'Three.' },
    );
    await chat.startSession();
    await chat.send('Count');
    await chat.answers.getByText('One, two.').waitFor();
    await chat.untilIdle();
    assert.match(await noticeText(), /malformed chunk: .*broken/);
    await chat.notices.getByRole('button', { name: 'Dismiss' }).click();
    await chat.notices.waitFor({ state: 'detached' });
    await chat.send('And then?');
    await chat.answers.getByText('Three.').waitFor();
    await chat.untilIdle();
    assert.equal((await window.request(2)).body.messages[2]?.content, 'One, two.');
  });

  it('does not run a tool call when a chunk of its arguments is lost, and tells the model', async () => {
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const call = (more: object, written: string): string =>
      chunk({ tool_calls: [{ index: 0, ...more, function: { ...more, arguments: written } }] });
    window.expect(
      {
        kind: 'raw',
        writes: [
          call({ id: 'c1', type: 'function', name: 'run_terminal_command' }, '{"command": "touch lost'),
          'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"argu\n\n',
          call({}, '.txt"}'),
          chunk({}, 'tool_calls'),
          'data: [DONE]\n\n',
        ],
      },
      { text: 'I try another way.' },
    );
    await chat.startSession();
    await chat.send('Touch it');
    await chat.answers.getByText('I try another way.').waitFor();
    await chat.untilIdle();
    assert.equal(await chat.button('Run').count(), 0);
    await assert.rejects(window.read('lost.txt'));
    await window.workbench.screenshot('faults-lost-chunk');
    assert.match(
      String((await window.request(2)).body.messages.at(-1)?.content),
      /damaged on its way from the server, so this tool call was not executed/,
    );
    await chat.notices.getByRole('button', { name: 'Dismiss' }).click();
  });

  it('stops at once while it waits for a retry', async () => {
    window.expect({ kind: 'status', status: 503, body: 'busy', headers: { 'retry-after': '20' } });
    await chat.startSession();
    await chat.send('Are you there?');
    await chat.activity.getByText('Trying again (1 of 3)').waitFor();
    await chat.activity.getByText(/in \d+ s/).waitFor();
    await window.workbench.screenshot('faults-trying-again');
    await chat.button('Stop').click();
    await chat.untilIdle();
    assert.equal(await chat.notices.count(), 0);
    assert.equal(window.server.turnsLeft, 0);
  });

  it('waits while the server loads the model', async () => {
    const gate = createGate();
    window.expect(
      { kind: 'recording', file: 'llama-server/error-loading.json' },
      { heldUntil: gate, text: 'Loaded now.' },
    );
    await chat.startSession();
    await chat.send('Are you there?');
    await chat.activity.getByText('Loading the model').waitFor();
    await window.request(2);
    assert.equal(await chat.notices.count(), 0);
    gate.open();
    await chat.answers.getByText('Loaded now.').waitFor();
    await chat.untilIdle();
  });

  it('offers the models of the server when the requested model is unknown', async () => {
    window.expect(
      { kind: 'status', status: 404, body: { error: { message: "model 'coder-7b' not found" } } },
      { text: 'Tiny instead.' },
    );
    await chat.startSession();
    await chat.send('Who are you?');
    await chat.notices.getByRole('button', { name: 'Select Model' }).click();
    await chat.frame.getByRole('menuitemradio', { name: /tiny-1b/ }).click();
    await chat.untilModel('tiny-1b');
    await chat.notices.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('Tiny instead.').waitFor();
    await chat.untilIdle();
    assert.equal((await window.request(2)).body.model, 'tiny-1b');
    await chat.button('Model: tiny-1b').click();
    await chat.frame.getByRole('menuitemradio', { name: /coder-7b/ }).click();
    await chat.untilModel('coder-7b');
  });

  it('asks for an API key and sends it only to the server it was entered for', async () => {
    await using guarded = await ModelServer.start({ models: ['guarded-8b'], apiKey: 'sk-test-1234' });
    window.expect({ text: 'Without a key.' });
    guarded.script({ text: 'With the key.' }, { text: 'With the key again.' });
    await window.workbench.updateSettings({ 'openAgent.baseUrl': guarded.baseUrl });
    await chat.startSession();
    await chat.frame.getByText('The server needs an API key', { exact: true }).waitFor();
    await window.workbench.screenshot('faults-wants-key');
    // A prompt sent without a key is not lost.
    await chat.send('Let me in');
    await chat.notices.waitFor();
    await chat.untilIdle();
    assert.match(await noticeText(), /refused access \(401\)/);

    await chat.notices.getByRole('button', { name: 'Set API Key…' }).click();
    const box = window.workbench.page.locator('.quick-input-widget');
    await box.getByText(`API Key for ${guarded.origin}`).waitFor();
    const field = box.locator('input').first();
    assert.equal(await field.getAttribute('type'), 'password');
    await field.fill('sk-test-1234');
    await window.workbench.page.keyboard.press('Enter');
    await chat.untilModel('guarded-8b');
    await chat.notices.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('With the key.').waitFor();
    await chat.untilIdle();
    assert.equal(guarded.completions.at(-1)?.headers.authorization, 'Bearer sk-test-1234');

    await window.workbench.updateSettings({ 'openAgent.baseUrl': window.server.baseUrl });
    await chat.untilModel('coder-7b');
    await chat.send('And elsewhere?');
    await chat.answers.getByText('Without a key.').waitFor();
    await chat.untilIdle();
    const sent = window.server.requests.filter(({ headers }) => headers.authorization !== undefined);
    assert.deepEqual(
      sent.map(({ path }) => path),
      [],
    );
    assert.equal(
      window.server.requests.some(({ text }) => text.includes('sk-test-1234')),
      false,
    );

    await window.workbench.updateSettings({ 'openAgent.baseUrl': guarded.baseUrl });
    await chat.untilModel('guarded-8b');
    await chat.send('Here again');
    await chat.answers.getByText('With the key again.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(guarded.unexpected, []);
    await window.workbench.updateSettings({ 'openAgent.baseUrl': window.server.baseUrl });
    await chat.untilModel('coder-7b');
  });

  it('names a server that is down, and connects once it is up', async () => {
    const down = await ModelServer.start({ models: ['late-3b'] });
    const port = Number(new URL(down.origin).port);
    await down.dispose();
    window.expect();
    await window.workbench.updateSettings({ 'openAgent.baseUrl': `http://127.0.0.1:${port}` });
    await chat.startSession();
    await chat.frame.locator('.help-message').getByText(`Cannot reach http://127.0.0.1:${port}/v1/models`).waitFor();
    assert.deepEqual(await chat.frame.locator('.help .button-row button').allInnerTexts(), [
      'Retry',
      'Enter Address…',
      'Check Server',
    ]);
    await chat.send('Is anybody there?');
    await chat.notices.waitFor();
    await chat.untilIdle();
    assert.match(
      await noticeText(),
      new RegExp(`Cannot reach http://127\\.0\\.0\\.1:${port}/v1/models: the connection was refused`),
    );
    assert.deepEqual(await actions(), ['Retry', 'Check Server', 'Open Settings', 'Show Log']);
    assert.deepEqual(await chat.promptTexts(), ['Is anybody there?']);
    // The notice replaces the help, so the failure shows once.
    assert.equal(await chat.frame.locator('.help').count(), 0);
    await window.workbench.screenshot('faults-server-down');

    await using up = await ModelServer.start({ models: ['late-3b'], port });
    up.script({ text: 'I am.' });
    // The panel looks for the server while it is visible.
    await chat.untilModel('late-3b');
    await chat.notices.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('I am.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(
      up.completions[0]?.body.messages.slice(1).map(({ role, content }) => [role, content]),
      [['user', 'Is anybody there?']],
    );

    // The server stops during the conversation.
    await up.dispose();
    await chat.send('Still there?');
    await chat.notices.waitFor();
    await chat.untilIdle();
    assert.match(await noticeText(), new RegExp(`Cannot reach http://127\\.0\\.0\\.1:${port}/v1/`));
    assert.deepEqual(await chat.promptTexts(), ['Is anybody there?', 'Still there?']);
    await using again = await ModelServer.start({ models: ['late-3b'], port });
    again.script({ text: 'Back again.' });
    await chat.notices.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('Back again.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(
      again.completions[0]?.body.messages.slice(1).map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('says by itself that the server has gone, is loading, and is there again', async () => {
    const own = await ModelServer.start({ models: ['late-3b'] });
    const { baseUrl } = own;
    const port = Number(new URL(baseUrl).port);
    window.expect();
    await window.workbench.updateSettings({ 'openAgent.baseUrl': baseUrl });
    await chat.startSession();
    await chat.untilModel('late-3b');
    const unusable = chat.frame.getByText('The server cannot be used', { exact: true });
    assert.equal(await unusable.count(), 0);
    await own.dispose();
    await unusable.waitFor();
    await chat.frame.locator('.help-message').getByText(`Cannot reach ${baseUrl}/models`).waitFor();
    await window.workbench.screenshot('faults-server-gone');
    await chat.frame.locator('.model-picker > button').click();
    const menu = chat.frame.getByRole('menu', { name: 'Model' });
    await menu.waitFor();
    assert.match(await menu.innerText(), /^The server is not available\./);
    await window.workbench.page.keyboard.press('Escape');

    await using again = await ModelServer.start({ models: ['late-3b'], port });
    const loading = {
      status: 503,
      body: { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } },
    };
    for (const route of ['/v1/models', '/props', '/health']) again.setRoute(route, loading);
    await chat.frame.getByText(`The server at ${baseUrl} is loading its model`).waitFor();
    assert.equal(await unusable.count(), 0);
    for (const route of ['/v1/models', '/props', '/health']) again.setRoute(route, undefined);
    await chat.untilModel('late-3b');
    await chat.frame.locator('.help, .help-progress').waitFor({ state: 'detached' });
    await window.workbench.updateSettings({ 'openAgent.baseUrl': window.server.baseUrl });
    await chat.untilModel('coder-7b');
  });

  it('names a wrong address, and continues once it is corrected', async () => {
    window.expect({ text: 'Right now.' });
    await window.workbench.updateSettings({ 'openAgent.baseUrl': `${window.server.origin}/wrong/v1` });
    await chat.startSession();
    await chat.send('Where am I?');
    await chat.notices.waitFor();
    await chat.untilIdle();
    const text = await noticeText();
    assert.ok(text.includes(`${window.server.origin}/wrong/v1/models was not found (404)`), text);
    assert.deepEqual(await actions(), ['Select Model', 'Open Settings', 'Retry']);
    await chat.notices.getByRole('button', { name: 'Open Settings' }).click();
    await window.workbench.page.locator('.settings-editor').getByText('Base Url', { exact: false }).first().waitFor();
    await window.workbench.runCommand('View: Close All Editors');

    await window.workbench.updateSettings({ 'openAgent.baseUrl': window.server.baseUrl });
    await chat.untilModel('coder-7b');
    await chat.notices.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('Right now.').waitFor();
    await chat.untilIdle();
    assert.equal((await window.request(1)).body.messages[1]?.content, 'Where am I?');
  });

  it('reports an invalid address', async () => {
    window.expect({ text: 'Better.' });
    await window.workbench.updateSettings({ 'openAgent.baseUrl': 'ftp://models.example/v1' });
    await chat.startSession();
    await chat.send('Hello?');
    await chat.notices.waitFor();
    await chat.untilIdle();
    assert.match(await noticeText(), /ftp:\/\/models\.example\/v1/);
    assert.ok((await actions()).includes('Open Settings'));
    await window.workbench.updateSettings({ 'openAgent.baseUrl': window.server.baseUrl });
    await chat.untilModel('coder-7b');
    await chat.notices.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('Better.').waitFor();
    await chat.untilIdle();
  });

  it('says in one sentence that no server was found, and leads to one', async () => {
    const { page } = window.workbench;
    window.expect({ text: 'Found.' });
    await window.workbench.updateSettings({ 'openAgent.baseUrl': '' });
    await chat.startSession();
    await chat.frame.getByText('No model server found', { exact: true }).waitFor();
    await chat.send('Is anybody here?');
    await chat.notices.waitFor();
    await chat.untilIdle();
    const says = 'No model server answers on the usual ports of this machine. Start one, or set the address of yours.';
    assert.equal(await chat.notices.locator('p').innerText(), says);
    assert.deepEqual(await actions(), ['Set Up a Model on This Machine…', 'Retry', 'Enter Address…']);
    assert.equal(await chat.frame.locator('.help').count(), 0);
    await window.workbench.screenshot('faults-no-server');
    await chat.button('Enter Address…').click();
    const field = page.locator('.quick-input-widget input').first();
    await field.fill(window.server.baseUrl);
    await field.press('Enter');
    await chat.untilModel('coder-7b');
    await chat.button('Retry').click();
    await chat.answers.getByText('Found.').waitFor();
    await chat.untilIdle();
  });
});
