import assert from 'node:assert/strict';
import type { WaitingItem, WhenSent } from '../../../src/agent/view/sessionView';
import { agentChoices, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import { readyPanel } from '../support/webviewPage';

describe('the composer', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const field = (panel: Awaited<ReturnType<typeof webview.open>>) => panel.page.getByLabel('Message to Open Agent');

  it('sends with Enter, starts a line with Shift+Enter, and keeps the text until the session shows it', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]));
    await field(panel).pressSequentially('First');
    await field(panel).press('Shift+Enter');
    await field(panel).pressSequentially('second');
    await field(panel).press('Enter');
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'submitPrompt', sessionId, text: 'First\nsecond' }]);
    assert.equal(await field(panel).inputValue(), 'First\nsecond');
    await panel.events(sessionId, { type: 'prompt_added', id: 'p', text: 'First\nsecond', contextLabels: [], ts: 0 });
    assert.equal(await field(panel).inputValue(), '');
    await field(panel).pressSequentially('next');
    assert.equal(await field(panel).inputValue(), 'next');
  });

  it('sends without a session when there is none yet', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined);
    await field(panel).fill('Hello');
    await panel.page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'submitPrompt', text: 'Hello' }]);
  });

  it('sends nothing for blanks only', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]));
    await field(panel).fill('  \n ');
    await field(panel).press('Enter');
    assert.equal(await panel.page.getByRole('button', { name: 'Send' }).isDisabled(), true);
    assert.deepEqual(await panel.intents(), []);
  });

  it('leaves Enter to an input method while it composes', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]));
    await field(panel).fill('にほん');
    await field(panel).evaluate((element) => {
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true }));
    });
    assert.deepEqual(await panel.intents(), []);
  });

  it('gets an unsent prompt back, with the reason', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]));
    await field(panel).fill('Fix it');
    await field(panel).press('Enter');
    await panel.send({ type: 'prompt_returned', text: 'Fix it', message: 'No model is selected.' });
    assert.equal(await field(panel).inputValue(), 'Fix it');
    assert.equal(await panel.page.getByRole('alert').innerText(), 'No model is selected.');
    await field(panel).press('Enter');
    assert.equal((await panel.intents()).length, 2);
    assert.equal(await panel.page.getByRole('alert').count(), 0);
  });

  it('steers a running task, and stops it', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Go')], { state: 'running' }));
    const stop = panel.page.getByRole('button', { name: 'Stop', exact: true });
    const send = panel.page.getByRole('button', { name: 'Send with the Next Step' });
    assert.deepEqual([await stop.count(), await send.count()], [1, 0]);
    await field(panel).fill('Only the tests');
    await send.click();
    await stop.click();
    assert.deepEqual(await panel.intents(), [
      { type: 'submitPrompt', sessionId, text: 'Only the tests' },
      { type: 'stop', sessionId },
    ]);
    await panel.events(sessionId, { type: 'state_changed', state: 'stopping', ts: 0 });
    assert.equal(await panel.page.getByRole('button', { name: 'Stopping' }).isDisabled(), true);
  });

  it('shows the messages that wait, until they are sent, edited or removed', async () => {
    const panel = await webview.open();
    const waiting = (id: string, when: WhenSent, contextLabels: readonly string[] = []): WaitingItem => {
      return { id, text: `Message ${id}`, contextLabels, when };
    };
    await panel.snapshot(view([prompt('Go')], { state: 'running' }));
    await field(panel).fill('Message 2');
    await field(panel).press('Alt+Enter');
    const all = [waiting('1', 'next_step', ['cart.ts']), waiting('2', 'after_run')];
    await panel.events(sessionId, { type: 'waiting_changed', waiting: all, ts: 0 });
    assert.equal(await field(panel).inputValue(), '');
    const list = panel.page.getByRole('region', { name: 'Messages not sent yet' });
    assert.deepEqual(await list.getByRole('listitem').allInnerTexts(), [
      'Message 1\nGoes with the next step',
      'Message 2\nGoes after this run',
    ]);
    const button = (name: string) => list.getByRole('button', { name, exact: true });
    assert.equal(await button('Edit: Message 1').count(), 0, 'its context would be lost');
    await button('Send after This Run: Message 1').click();
    await button('Send with the Next Step: Message 2').click();
    await button('Edit: Message 2').click();
    await button('Remove: Message 1').click();
    assert.deepEqual(await panel.intents(), [
      { type: 'submitPrompt', sessionId, text: 'Message 2', when: 'after_run' },
      { type: 'sendWaiting', sessionId, promptId: '1', when: 'after_run' },
      { type: 'sendWaiting', sessionId, promptId: '2', when: 'next_step' },
      { type: 'withdrawPrompt', sessionId, promptId: '2', isEdited: true },
      { type: 'withdrawPrompt', sessionId, promptId: '1', isEdited: false },
    ]);
    await panel.events(
      sessionId,
      { type: 'waiting_changed', waiting: [waiting('1', 'held')], ts: 0 },
      { type: 'state_changed', state: 'idle', ts: 0 },
    );
    assert.equal(await list.getByRole('listitem').innerText(), 'Message 1\nNot sent');
    await button('Send: Message 1').click();
    assert.deepEqual((await panel.intents()).at(-1), {
      type: 'sendWaiting',
      sessionId,
      promptId: '1',
      when: 'next_step',
    });
    await panel.events(sessionId, { type: 'waiting_changed', waiting: [], ts: 0 });
    assert.equal(await list.count(), 0);
  });

  it('sends the draft to the host, at once when the page closes', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]));
    await field(panel).fill('half a thou');
    assert.equal((await panel.intent('saveDraft')).text, 'half a thou');
    await field(panel).fill('half a thought');
    await panel.page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')));
    const drafts = (await panel.allIntents()).filter((intent) => intent.type === 'saveDraft');
    assert.deepEqual(drafts.at(-1), { type: 'saveDraft', text: 'half a thought' });
  });

  it("shows the host's draft, or its own when that is newer", async () => {
    const first = await webview.open();
    await first.snapshot(view([]), {}, 'from the host');
    assert.equal(await field(first).inputValue(), 'from the host');
    const savedState = { draft: 'newer', isDraftSent: false, scrollTop: 0, isFollowing: true };
    const second = await webview.open({ savedState });
    await second.snapshot(view([]), {}, 'from the host');
    assert.equal(await field(second).inputValue(), 'newer');
    assert.equal((await second.intent('saveDraft')).text, 'newer');
    const third = await webview.open({ savedState: { ...savedState, draft: 'lost by the host', isDraftSent: true } });
    await third.snapshot(view([]));
    assert.equal(await field(third).inputValue(), 'lost by the host');
    assert.equal((await third.intent('saveDraft')).text, 'lost by the host');
  });

  it('grows with its text and stays within the panel', async () => {
    const panel = await webview.open({ height: 500 });
    await panel.snapshot(view([]));
    const height = async (): Promise<number> => (await field(panel).boundingBox())?.height ?? 0;
    const one = await height();
    await field(panel).fill('a\nb\nc\nd');
    const four = await height();
    await field(panel).fill('line\n'.repeat(100));
    const many = await height();
    assert.ok(four > one + 30, `${four} is not three lines more than ${one}`);
    assert.ok(many <= 200, `${many} leaves no room for the conversation`);
  });

  it('gets the focus when the host asks for it', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]));
    await panel.send({ type: 'focus_composer' });
    assert.equal(await field(panel).evaluate((element) => element === document.activeElement), true);
  });

  it('offers the models of the server, by keyboard', async () => {
    const panel = await webview.open();
    const models = [...readyPanel.models, { id: 'models/Qwen2.5-Coder-32B.gguf', contextWindow: 16_384 }];
    await panel.snapshot(view([]), { models });
    const button = panel.page.getByRole('button', { name: 'Model: qwen3-8b' });
    await button.press('Enter');
    const menu = panel.page.getByRole('menu', { name: 'Model' });
    assert.deepEqual(await menu.locator('.menu-item').allInnerTexts(), [
      'qwen3-8b\n32k',
      'models/Qwen2.5-Coder-32B.gguf\n16k',
      'Tool Calls: automatic',
      'Examine Models…',
      'Ask the Server Again',
      'Find Running Servers…',
      'Set Up a Model on This Machine…',
      'Open Settings',
    ]);
    await panel.page.keyboard.press('Escape');
    assert.equal(await button.evaluate((element) => element === document.activeElement), true);
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    assert.equal(await menu.count(), 0);
    await panel.send({
      type: 'panel_changed',
      panel: { ...readyPanel, activeSessionId: sessionId, models, selectedModel: 'models/Qwen2.5-Coder-32B.gguf' },
    });
    assert.equal(await panel.page.locator('.model-picker .dropdown-label').innerText(), 'Qwen2.5-Coder-32B');
    await panel.page.locator('.model-picker > button').click();
    await menu.getByText('Ask the Server Again').click();
    await panel.page.locator('.model-picker > button').click();
    await menu.getByText('Set Up a Model on This Machine…').click();
    assert.deepEqual(await panel.intents(), [
      { type: 'selectModel', model: 'models/Qwen2.5-Coder-32B.gguf' },
      { type: 'refreshServer' },
      { type: 'runCommand', command: 'setUpModel' },
    ]);
  });

  it('offers the modes, by keyboard, and shows the current one', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]));
    const button = panel.page.getByRole('button', { name: 'Mode: Ask' });
    await button.press('Enter');
    const menu = panel.page.getByRole('menu', { name: 'Mode' });
    const items = await menu
      .getByRole('menuitemradio')
      .evaluateAll((elements) =>
        elements.map((element) => [element.querySelector('.menu-label')?.firstChild?.textContent, element.ariaChecked]),
      );
    assert.deepEqual(items, [
      ['Plan', 'false'],
      ['Ask', 'true'],
      ['Accept edits', 'false'],
    ]);
    await panel.page.keyboard.press('ArrowUp');
    await panel.page.keyboard.press('Enter');
    assert.equal(await menu.count(), 0);
    assert.equal(await button.evaluate((element) => element === document.activeElement), true);
    await panel.send({
      type: 'panel_changed',
      panel: { ...readyPanel, activeSessionId: sessionId, agent: { ...readyPanel.agent, mode: 'plan' } },
    });
    assert.equal(await panel.page.getByRole('button', { name: 'Mode: Plan' }).count(), 1);
    assert.deepEqual(await panel.intents(), [{ type: 'selectMode', mode: 'plan' }]);
  });

  it('offers configured agents and profiles, and names the current ones', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]), { agent: agentChoices });
    const button = panel.page.getByRole('button', { name: 'Model: reviewer · qwen3-8b' });
    assert.equal(await button.innerText(), 'reviewer · qwen3-8b');
    assert.equal(await button.getAttribute('title'), 'Model: qwen3-8b, agent reviewer, profile gpu');
    await button.click();
    const groups = panel.page.getByRole('menu', { name: 'Model' }).getByRole('group');
    const texts = await groups.evaluateAll((elements) =>
      elements.map((group) => [
        group.ariaLabel,
        ...[...group.querySelectorAll('[role="menuitemradio"]')].map(
          (item) =>
            `${item.ariaChecked === 'true' ? '* ' : ''}${item.querySelector('.menu-label')?.firstChild?.textContent}`,
        ),
      ]),
    );
    assert.deepEqual(texts, [
      ['Model', '* qwen3-8b'],
      ['Agent', '* reviewer', 'writer', 'No agent'],
      ['Profile', '* gpu', 'small', 'No profile'],
    ]);
    await panel.page.getByRole('menuitemradio', { name: 'small' }).click();
    await button.click();
    await panel.page.getByRole('menuitemradio', { name: 'No agent' }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'selectProfile', profile: 'small' },
      { type: 'selectAgent', agent: '' },
    ]);
  });

  it('names unusable settings and opens the settings', async () => {
    const panel = await webview.open();
    const problems = ['Setting openAgent.profiles: Profile "gpu": topP: expected number.'];
    await panel.snapshot(view([]), { agent: { ...readyPanel.agent, problems } });
    const banner = panel.page.getByRole('note', { name: 'Settings that cannot be used' });
    assert.match(await banner.innerText(), /Profile "gpu": topP: expected number\./);
    await banner.getByRole('button', { name: 'Open Settings' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'runCommand', command: 'openSettings' }]);
  });

  it('shows what the server says about each model, also to screen readers', async () => {
    const panel = await webview.open();
    const models = [
      { id: 'qwen3-8b', contextWindow: 32_768, windowSource: 'loaded', isLoaded: true, hasTools: true },
      { id: 'gemma3', contextWindow: 131_072, windowSource: 'advertised', isLoaded: false, hasVision: true },
      { id: 'old', contextWindow: 4096, windowSource: 'assumed', hasTools: false },
      {
        id: 'mine',
        contextWindow: 8192,
        windowSource: 'setting',
        toolCalls: 'text',
        learned: ['plain tool schemas'],
        exam: { grade: 'small_edits', date: '2026-01-31', solved: 15, tasks: 28, quantisation: 'Q8_0' },
      },
    ] as const;
    await panel.snapshot(view([]), { models });
    await panel.page.locator('.model-picker .dropdown-button').click();
    const menu = panel.page.getByRole('menu', { name: 'Model' });
    const rows = menu.getByRole('menuitemradio');
    assert.deepEqual(
      (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s*\n\s*/g, ' · ')),
      ['qwen3-8b · 32k', 'gemma3 · ≤ 128k', 'old · no tools · ≈ 4k', 'mine · small edits · 8k'],
    );
    assert.deepEqual(await rows.evaluateAll((items) => items.map((item) => item.getAttribute('aria-label'))), [
      'qwen3-8b, loaded, 32768 tokens of context (as the server has loaded it)',
      'gemma3, not loaded, 131072 tokens of context (the most that the model can take; the server may load it with less), takes images',
      'old, 4096 tokens of context (assumed, because the server does not say), was not made to call tools',
      'mine, exam: small edits (15 of 28, Q8_0, 2026-01-31), 8192 tokens of context (from your settings), tool calls set to text, learned: plain tool schemas',
    ]);
    assert.deepEqual(await rows.locator('.loaded-dot').evaluateAll((dots) => dots.map((dot) => dot.className)), [
      'menu-detail loaded-dot is-loaded',
      'menu-detail loaded-dot',
    ]);
    await panel.screenshot('composer-models');
  });

  it('loads and unloads the current model, changes how it calls tools, and forgets what was learned', async () => {
    const panel = await webview.open();
    const connection = { ...readyPanel.connection, canLoad: true } as typeof readyPanel.connection;
    const model = { id: 'qwen3-8b', isLoaded: false, toolCalls: 'native', learned: ['tools as text'] } as const;
    await panel.snapshot(view([]), { connection, models: [model] });
    const choose = async (label: string): Promise<void> => {
      await panel.page.locator('.model-picker .dropdown-button').click();
      await panel.page.getByRole('menuitem', { name: label, exact: true }).click();
    };
    await choose('Load the Model into Memory');
    await choose('Tool Calls: native');
    await choose('Forget What Was Learned: tools as text');
    await choose('Find Running Servers…');
    await panel.send({
      type: 'panel_changed',
      panel: { ...readyPanel, connection, activeSessionId: sessionId, models: [{ ...model, isLoaded: true }] },
    });
    await choose('Unload the Model from Memory');
    assert.deepEqual(await panel.intents(), [
      { type: 'changeLoaded', model: 'qwen3-8b', isLoaded: true },
      { type: 'runCommand', command: 'selectToolCalls' },
      { type: 'forgetQuirks' },
      { type: 'runCommand', command: 'findServers' },
      { type: 'changeLoaded', model: 'qwen3-8b', isLoaded: false },
    ]);
  });
});
