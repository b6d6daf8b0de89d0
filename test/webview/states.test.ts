import assert from 'node:assert/strict';
import type { FromWebview } from '../../src/protocol/fromWebview';
import type { ConnectionState } from '../../src/agent/view/server/connectionState';
import { answer, prompt, sessionId, view } from './support/sessions';
import { useWebview } from './support/useWebview';
import { readyPanel } from './support/webviewPage';

const baseUrl = 'http://127.0.0.1:8080/v1';

describe('a panel without messages', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('describes the agent and fills the composer with a suggestion', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined);
    await panel.page.getByText('Asks before each edit and command.', { exact: false }).waitFor();
    assert.equal(await panel.page.locator('.suggestion').count(), 3);
    await panel.page.getByRole('button', { name: 'Run the tests and fix what fails' }).click();
    const field = panel.page.getByLabel('Message to Open Agent');
    assert.equal(await field.inputValue(), 'Run the tests and fix what fails');
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    assert.deepEqual(await panel.intents(), []);
    assert.equal(
      await panel.page.locator('.server-line').innerText(),
      'llama.cpp at http://127.0.0.1:8080/v1, found on this machine',
    );
  });

  it('suggests first what there is to do: errors, the code in the editor, changes', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined);
    const texts = () => panel.page.locator('.suggestion').allInnerTexts();
    const offer = { written: '@src/app.ts', label: 'app.ts', isSelection: false };
    await panel.send({ type: 'context_changed', chips: [], offer, counts: { errors: 2, changedFiles: 3 } });
    assert.deepEqual(await texts(), [
      'Fix the errors in @problems',
      'Explain @src/app.ts',
      'Look through @changes for mistakes',
      'Run the tests and fix what fails',
    ]);
    await panel.page.getByRole('button', { name: 'Fix the errors in @problems' }).click();
    assert.equal(await panel.page.getByLabel('Message to Open Agent').inputValue(), 'Fix the errors in @problems');
    await panel.send({ type: 'context_changed', chips: [], counts: { errors: 0, changedFiles: 0 } });
    assert.deepEqual(await texts(), [
      'Run the tests and fix what fails',
      'Explain what this project does and where to start reading',
    ]);
    // A file may have any name.
    const hostile = { written: '@src/\u202Eapp.ts', label: 'app.ts', isSelection: false };
    await panel.send({ type: 'context_changed', chips: [], offer: hostile, counts: { errors: 0 } });
    assert.doesNotMatch((await texts()).join('\n'), /\u202E/);
  });

  it('shows how far the set-up of a model is, and pauses, continues and removes its download', async () => {
    const panel = await webview.open();
    const text = 'model: 1.2 GB of 4.7 GB, 12 MB/s, 5 min left';
    await panel.snapshot(undefined, { setUp: { name: 'Qwen3 8B', text, kind: 'downloading' } });
    const banner = panel.page.getByRole('note', { name: 'Set-up of a model' });
    assert.match(
      await banner.innerText(),
      /^Qwen3 8B: model: 1\.2 GB of 4\.7 GB, 12 MB\/s, 5 min left\s+Pause\s+Remove$/,
    );
    await panel.screenshot('set-up-downloading');
    await banner.getByRole('button', { name: 'Pause' }).click();
    await panel.snapshot(undefined, { setUp: { name: 'Qwen3 8B', text: 'paused', kind: 'paused' } });
    await banner.getByRole('button', { name: 'Continue' }).click();
    await banner.getByRole('button', { name: 'Remove' }).click();
    assert.deepEqual(
      await panel.intents(),
      ['pause', 'goOn', 'remove'].map((action) => ({ type: 'steerSetUp', action })),
    );
    await panel.snapshot(undefined, { setUp: { name: 'Qwen3 8B', text: 'starting the model', kind: 'starting' } });
    assert.equal(await banner.getByRole('button').count(), 0);
    await panel.snapshot(undefined);
    assert.equal(await banner.count(), 0);
  });

  const states: readonly {
    readonly name: string;
    readonly connection: ConnectionState;
    readonly text: string;
    readonly buttons: readonly (readonly [name: string, intent: FromWebview])[];
  }[] = [
    { name: 'a search', connection: { kind: 'searching' }, text: 'Looking for a model server', buttons: [] },
    {
      name: 'a connection',
      connection: { kind: 'connecting', baseUrl },
      text: `Connecting to ${baseUrl}`,
      buttons: [],
    },
    {
      name: 'no server',
      connection: { kind: 'not_found', triedPorts: [8080, 11434] },
      text: 'No model server found',
      buttons: [
        ['Set Up a Model on This Machine…', { type: 'runCommand', command: 'setUpModel' }],
        ['Look Again', { type: 'refreshServer' }],
        ['Enter Address…', { type: 'runCommand', command: 'setAddress' }],
      ],
    },
    {
      name: 'no server in a remote window',
      connection: { kind: 'not_found', triedPorts: [8080], isRemote: true },
      text: 'This machine is the remote. Set up a model',
      buttons: [
        ['Set Up a Model on This Machine…', { type: 'runCommand', command: 'setUpModel' }],
        ['Use a Model Server on Your Laptop…', { type: 'runCommand', command: 'useLaptop' }],
        ['Look Again', { type: 'refreshServer' }],
        ['Enter Address…', { type: 'runCommand', command: 'setAddress' }],
      ],
    },
    {
      name: 'no model',
      connection: { kind: 'no_models', baseUrl },
      text: `${baseUrl} answers but lists no model`,
      buttons: [
        ['Look Again', { type: 'refreshServer' }],
        ['Enter Address…', { type: 'runCommand', command: 'setAddress' }],
        ['Check Server', { type: 'startDoctor' }],
      ],
    },
    {
      name: 'a failure',
      connection: { kind: 'failed', baseUrl, message: `${baseUrl} answers with HTML.`, isUnauthorized: false },
      text: `${baseUrl} answers with HTML.`,
      buttons: [
        ['Retry', { type: 'refreshServer' }],
        ['Enter Address…', { type: 'runCommand', command: 'setAddress' }],
        ['Check Server', { type: 'startDoctor' }],
      ],
    },
    {
      name: 'a loading model',
      connection: { kind: 'failed', baseUrl, message: 'Loading.', isUnauthorized: false, isLoading: true },
      text: `The server at ${baseUrl} is loading its model`,
      buttons: [],
    },
    {
      name: 'a stopped model of this machine',
      connection: { kind: 'failed', baseUrl: '', message: 'It was stopped.', isUnauthorized: false, isResting: true },
      text: 'The model does not run',
      buttons: [['Start the Model', { type: 'refreshServer' }]],
    },
    {
      name: 'a model of this machine that starts',
      connection: { kind: 'failed', baseUrl: '', message: 'It starts.', isUnauthorized: false, isLoading: true },
      text: 'The model on this machine is starting',
      buttons: [],
    },
    {
      name: 'a missing key',
      connection: { kind: 'failed', baseUrl, message: `${baseUrl} refuses (401).`, isUnauthorized: true },
      text: 'The server needs an API key',
      buttons: [
        ['Set API Key…', { type: 'runCommand', command: 'setApiKey' }],
        ['Retry', { type: 'refreshServer' }],
        ['Check Server', { type: 'startDoctor' }],
      ],
    },
  ];
  for (const { name, connection, text, buttons } of states) {
    it(`shows ${name} and the way out`, async () => {
      const panel = await webview.open();
      await panel.snapshot(undefined, { connection, models: [], selectedModel: undefined });
      await panel.page.locator('.empty').getByText(text, { exact: false }).first().waitFor();
      assert.equal(await panel.page.locator('.empty .button:not(.secondary)').count(), buttons.length > 0 ? 1 : 0);
      for (const [label] of buttons) await panel.page.getByRole('button', { name: label, exact: true }).click();
      assert.deepEqual(
        await panel.intents(),
        buttons.map(([, intent]) => intent),
      );
      await panel.screenshot(`state-${name.replaceAll(' ', '-')}`);
    });
  }

  it('says in the menu why there is no model to choose', async () => {
    const panel = await webview.open();
    const failed = { kind: 'failed', baseUrl, message: 'Gone.', isUnauthorized: false } as const;
    const texts: readonly (readonly [ConnectionState, string])[] = [
      [{ kind: 'searching' }, 'Looking for a model server…'],
      [{ kind: 'not_found', triedPorts: [8080] }, 'No model server was found.'],
      [{ kind: 'no_models', baseUrl }, 'The server lists no models.'],
      [failed, 'The server is not available.'],
      [{ ...failed, isLoading: true }, 'The server is loading its model.'],
      [{ ...failed, isResting: true }, 'The model does not run. Your next message starts it.'],
      [{ ...failed, isResting: true, model: 'own-4b' }, 'own-4b is stopped. Your next message starts it.'],
    ];
    await panel.snapshot(undefined, { connection: { kind: 'unknown' }, models: [], selectedModel: undefined });
    await panel.page.locator('.composer-bar button[aria-haspopup]').nth(1).click();
    for (const [connection, text] of texts) {
      await panel.send({
        type: 'panel_changed',
        panel: { ...readyPanel, connection, models: [], selectedModel: undefined },
      });
      await panel.page.locator('.menu-none').getByText(text, { exact: true }).waitFor();
    }
  });

  it('names the model of this machine while it does not run, and what starts it', async () => {
    const panel = await webview.open({ width: 260 });
    const failed = { kind: 'failed', baseUrl: '', message: 'So.', isUnauthorized: false } as const;
    const model = '/models/a-model-with-a-long-name-4b.gguf';
    const show = async (connection: ConnectionState): Promise<readonly unknown[]> => {
      await panel.snapshot(undefined, { connection, models: [], selectedModel: undefined });
      const picker = panel.page.locator('.model-picker button');
      const word = picker.locator('.dropdown-detail');
      const isWhole = await word.evaluate((element) => element.scrollWidth <= element.clientWidth);
      return [await picker.getAttribute('aria-label'), await picker.getAttribute('title'), isWhole];
    };
    assert.deepEqual(await show({ ...failed, isResting: true, model }), [
      'Model: a-model-with-a-long-name-4b stopped',
      `Model: ${model}, stopped: your next message starts it`,
      true,
    ]);
    await panel.screenshot('model-stopped-260');
    assert.deepEqual(await show({ ...failed, isLoading: true, model }), [
      'Model: a-model-with-a-long-name-4b starting',
      `Model: ${model}, starting`,
      true,
    ]);
  });

  it('marks one item of a menu, by pointer or keyboard', async () => {
    const panel = await webview.open();
    await panel.snapshot();
    await panel.page.locator('.mode-picker button').click();
    const items = panel.page.locator('.menu-item');
    const marked = () =>
      items.evaluateAll((all) => all.filter((item) => item.matches(':hover, :focus')).map((item) => item.textContent));
    const textOf = async (index: number) => (await items.nth(index).textContent()) ?? '';
    await items.nth(2).hover();
    assert.deepEqual(await marked(), [await textOf(2)]);
    await items.nth(0).hover();
    assert.deepEqual(await marked(), [await textOf(0)]);
    assert.equal(await items.nth(0).evaluate((item) => item === document.activeElement), true);
  });

  it('names the commands that start a server', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined, { connection: { kind: 'not_found', triedPorts: [] } });
    assert.deepEqual(await panel.page.locator('.start-commands dt').allInnerTexts(), [
      'llama.cpp',
      'Ollama',
      'LM Studio',
    ]);
  });

  it('shows a failure below the messages', async () => {
    const panel = await webview.open();
    const connection = { kind: 'failed', baseUrl, message: 'Nothing answers.', isUnauthorized: false } as const;
    await panel.snapshot(view([prompt('Hello'), answer('Hi')]), { connection });
    await panel.page.locator('.footer').getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'refreshServer' }]);
  });

  it('does not repeat a failure at the end of the conversation', async () => {
    const panel = await webview.open();
    const connection = { kind: 'failed', baseUrl, message: 'Nothing answers.', isUnauthorized: false } as const;
    const notice = { id: 'notice-1', severity: 'error', message: 'Nothing answers.', actions: ['retry'] } as const;
    const failure = { kind: 'notice', id: notice.id, notice } as const;
    await panel.snapshot(view([prompt('Hello'), failure]), { connection });
    await panel.page.locator('.notice').waitFor();
    assert.equal(await panel.page.getByRole('button', { name: 'Retry' }).count(), 1);
    await panel.snapshot(view([prompt('Hello'), failure, prompt('Hello?')]), { connection });
    await panel.page.locator('.footer').getByRole('button', { name: 'Retry' }).waitFor();
  });

  it('shows hidden characters in a text of the server', async () => {
    const panel = await webview.open();
    const message = 'The server said: \u202Efine\nin two lines';
    const notice = { id: 'notice-1', severity: 'error', message, actions: [] } as const;
    await panel.snapshot(view([prompt('Hello'), { kind: 'notice', id: notice.id, notice }]));
    const shown = panel.page.locator('.notice p');
    assert.doesNotMatch(await shown.innerText(), /\u202E/);
    assert.match(await shown.locator('.hidden-character').innerText(), /202E/);
    await panel.snapshot(undefined, { connection: { kind: 'failed', baseUrl, message, isUnauthorized: false } });
    assert.match(await panel.page.locator('.help-message .hidden-character').innerText(), /202E/);
  });

  it('explains an untrusted workspace', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined, { isTrusted: false });
    await panel.page.getByText('only answers questions. It changes and runs nothing', { exact: false }).waitFor();
    assert.equal(await panel.page.locator('.suggestion').count(), 1);
    await panel.page.getByRole('button', { name: 'Manage Trust' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'runCommand', command: 'manageTrust' }]);
  });

  it('offers to open a folder', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined, { hasFolder: false });
    await panel.page.getByRole('button', { name: 'Open Folder' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'runCommand', command: 'openFolder' }]);
  });

  describe('the list of past sessions', () => {
    const hour = 3_600_000;
    const sessions = (now: number) => [
      { id: sessionId, title: 'This one', updatedMs: now, isRunning: true, hasFailed: false, isForeign: false },
      { id: 'b', title: 'Second', updatedMs: now - 3 * hour, isRunning: false, hasFailed: false, isForeign: false },
      { id: 'c', title: 'Third', updatedMs: now - 30 * hour, isRunning: false, hasFailed: false, isForeign: false },
    ];

    it('moves with arrow keys, opens with Enter and returns the focus', async () => {
      const panel = await webview.open();
      await panel.snapshot(view([prompt('Hello')]), { sessions: sessions(Date.now()) });
      const opener = panel.page.getByRole('button', { name: 'Past Sessions' });
      await opener.press('Enter');
      assert.deepEqual(await panel.page.locator('.session').allInnerTexts(), [
        'This one\nrunning',
        'Second\n3 h ago',
        'Third\nyesterday',
      ]);
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Home', 'End', 'ArrowUp', 'Enter']) {
        await panel.page.keyboard.press(key);
      }
      assert.deepEqual(await panel.intents(), [{ type: 'openSession', sessionId: 'b' }]);
      assert.equal(await opener.evaluate((element) => element === document.activeElement), true);
    });

    it('marks sessions of programs and of the command line', async () => {
      const panel = await webview.open();
      const [first, second, third] = sessions(Date.now());
      assert.ok(first && second && third);
      await panel.snapshot(view([prompt('Hello')]), {
        sessions: [
          { ...first, isServed: true },
          { ...second, isServed: true },
          { ...third, isForeign: true },
        ],
      });
      await panel.page.getByRole('button', { name: 'Past Sessions' }).click();
      assert.deepEqual(await panel.page.locator('.session').allInnerTexts(), [
        'This one\nendpoint, running',
        'Second\nendpoint, 3 h ago',
        'Third\ncommand line, yesterday',
      ]);
      assert.equal(await panel.page.locator('.session .codicon-broadcast').count(), 1);
    });

    it('closes with Escape and for the session that is already open', async () => {
      const panel = await webview.open();
      await panel.snapshot(view([prompt('Hello')]), { sessions: sessions(Date.now()) });
      const opener = panel.page.getByRole('button', { name: 'Past Sessions' });
      await opener.click();
      await panel.page.keyboard.press('Escape');
      assert.equal(await panel.page.locator('.session').count(), 0);
      await opener.click();
      await panel.page.locator('.session').first().click();
      assert.equal(await panel.page.locator('.session').count(), 0);
      assert.deepEqual(await panel.intents(), []);
    });

    it('closes when something outside leads to the field, as the status bar does', async () => {
      const panel = await webview.open();
      await panel.snapshot(view([prompt('Hello')]), { sessions: sessions(Date.now()) });
      await panel.page.getByRole('button', { name: 'Past Sessions' }).click();
      await panel.page.locator('.session').first().waitFor();
      await panel.send({ type: 'focus_composer' });
      await panel.page.locator('.session').first().waitFor({ state: 'detached' });
      await panel.page.locator('.prompt').getByText('Hello').waitFor();
    });

    it('closes for a new session and focuses its composer', async () => {
      const panel = await webview.open();
      await panel.snapshot(view([prompt('Hello')]), { sessions: sessions(Date.now()) });
      await panel.page.getByRole('button', { name: 'Past Sessions' }).click();
      await panel.page.getByRole('button', { name: 'New Session' }).click();
      assert.deepEqual(await panel.intents(), [{ type: 'newSession' }]);
      assert.equal(await panel.page.locator('.session').count(), 0);
      const field = panel.page.getByLabel('Message to Open Agent');
      assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    });

    it('searches, and counts the sessions that are not shown', async () => {
      const panel = await webview.open();
      await panel.snapshot(undefined, { sessions: sessions(Date.now()), sessionCount: 103 });
      await panel.page.getByRole('button', { name: 'Past Sessions' }).click();
      await panel.page.getByText('100 older sessions are not shown.', { exact: false }).waitFor();
      await panel.page.getByLabel('Search sessions').fill('parser');
      assert.deepEqual(await panel.intent('searchSessions'), { type: 'searchSessions', query: 'parser' });
      assert.deepEqual(await panel.page.locator('.session-none').allInnerTexts(), ['Searching…']);
      await panel.snapshot(undefined, { sessions: sessions(Date.now()), sessionCount: 103, sessionQuery: 'parser' });
      await panel.page.getByText('100 older sessions match as well. Add a word to find them.').waitFor();
      const piece = { before: 'Why does the ', found: 'parser', after: ' drop \u202Ethe last token?' };
      const found = sessions(Date.now())
        .slice(1, 2)
        .map((session) => ({ ...session, piece }));
      await panel.snapshot(undefined, { sessions: found, sessionCount: 1, sessionQuery: 'parser' });
      const row = panel.page.locator('.session');
      assert.match(await row.innerText(), /^Second\n\d h ago\nWhy does the parser drop .*202E.*the last token\?$/);
      assert.equal(await row.locator('mark').innerText(), 'parser');
      await panel.snapshot(undefined, { sessions: [], sessionCount: 0, sessionQuery: 'parser' });
      await panel.page.getByText('No session contains these words.').waitFor();
      const failed = { sessionQuery: 'parser', sessionFailure: 'EACCES: permission denied' };
      await panel.snapshot(undefined, { sessions: [], sessionCount: 0, ...failed });
      await panel.page.getByRole('alert').filter({ hasText: 'could not be read: EACCES' }).waitFor();
      assert.deepEqual(await panel.page.locator('.session-none').count(), 1);
      assert.equal(await panel.page.getByLabel('Search sessions').inputValue(), 'parser');
    });

    it('renames, forks, exports, deletes and imports, also by keyboard', async () => {
      const panel = await webview.open();
      const [, second] = sessions(Date.now());
      await panel.snapshot(undefined, { sessions: second ? [second] : [], sessionCount: 1 });
      await panel.page.getByRole('button', { name: 'Past Sessions' }).press('Enter');
      for (const name of ['Rename Second', 'Fork Second', 'Export Second', 'Delete Second']) {
        await panel.page.keyboard.press('Tab');
        const focused = await panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
        assert.equal(focused, name);
      }
      await panel.screenshot('session-list');
      await panel.page.keyboard.press('Enter');
      await panel.page.getByRole('button', { name: 'Rename Second' }).press('Enter');
      await panel.page.getByRole('button', { name: 'Export Second' }).press('Enter');
      await panel.page.getByRole('button', { name: 'Import Session…' }).click();
      await panel.page.getByRole('button', { name: 'Fork Second' }).press('Enter');
      assert.deepEqual(await panel.intents(), [
        { type: 'sessionAction', sessionId: 'b', action: 'delete' },
        { type: 'sessionAction', sessionId: 'b', action: 'rename' },
        { type: 'sessionAction', sessionId: 'b', action: 'export' },
        { type: 'runCommand', command: 'importSession' },
        { type: 'forkSession', sessionId: 'b' },
      ]);
    });
  });

  it('offers to fork at a prompt', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hello')]));
    await panel.page.getByRole('button', { name: 'Fork from Here' }).press('Enter');
    const [intent] = await panel.intents();
    assert.deepEqual(intent, { type: 'forkSession', sessionId, beforeId: prompt('Hello').id });
  });

  it('explains why a session is read-only and offers the ways out', async () => {
    const panel = await webview.open();
    const readOnly = { why: 'elsewhere', canTakeOver: false } as const;
    await panel.snapshot({ ...view([prompt('Hello')]), readOnly });
    await panel.page.getByText('This session is open in another window.', { exact: false }).waitFor();
    assert.equal(await panel.page.getByLabel('Message to Open Agent').count(), 0);
    for (const name of ['Take Over', 'Edit and Resend', 'Go Back to Before This Message…']) {
      assert.equal(await panel.page.getByRole('button', { name }).count(), 0, name);
    }
    assert.equal(await panel.page.getByRole('button', { name: 'Fork from Here' }).count(), 1);
    await panel.events(sessionId, { type: 'read_only_changed', readOnly: { ...readOnly, canTakeOver: true }, ts: 0 });
    await panel.screenshot('read-only');
    await panel.page.getByRole('button', { name: 'Take Over' }).click();
    await panel.page.getByRole('button', { name: 'Fork', exact: true }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'takeOverSession', sessionId },
      { type: 'forkSession', sessionId },
    ]);
  });
});
