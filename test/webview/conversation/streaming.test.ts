import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/sdk/events';
import type { SessionEvent } from '../../../src/agent/view/sessionEvents';
import { overflowing } from '../support/measure';
import { answer, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import { readyPanel, type WebviewPage } from '../support/webviewPage';

const agent = (...events: readonly AgentEvent[]): readonly SessionEvent[] =>
  events.map((event) => ({ type: 'agent', event, ts: Date.now() }));
const delta = (text: string): readonly SessionEvent[] => agent({ type: 'text_delta', block: 0, text });
const running: SessionEvent = { type: 'state_changed', state: 'running', ts: 0 };
const added: SessionEvent = { type: 'prompt_added', id: 'p1', text: 'Hello', contextLabels: [], ts: 0 };

describe('a streaming answer', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const start = async (): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(undefined, { activeSessionId: sessionId });
    await panel.events(sessionId, added, running, ...agent({ type: 'step_start', step: 1 }));
    return panel;
  };
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) => `Paragraph ${index}.`).join('\n\n');
  const distanceToEnd = (panel: WebviewPage): Promise<number> =>
    panel.page
      .locator('.message-scroller')
      .evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop));

  it('grows in place and keeps the nodes of finished blocks', async () => {
    const panel = await start();
    await panel.events(sessionId, ...delta('First **paragraph**.\n\nSec'));
    const first = panel.page.locator('.markdown-block').first();
    await first.locator('strong').waitFor();
    await first.locator('p').evaluate((element) => (element.dataset['mark'] = 'same'));
    await panel.events(sessionId, ...delta('ond one.\n\n- a list'));
    assert.equal(await first.locator('p').getAttribute('data-mark'), 'same');
    const texts = await panel.page.locator('.markdown-block').allInnerTexts();
    assert.deepEqual(
      texts.map((text) => text.trim()),
      ['First paragraph.', 'Second one.', 'a list'],
    );
  });

  it('colours a code block when it is complete, and not before', async () => {
    const panel = await start();
    await panel.events(sessionId, ...delta('```ts\nconst a'));
    const code = panel.page.locator('.code-block code');
    await code.evaluate((element) => (element.dataset['mark'] = 'same'));
    await panel.events(sessionId, ...delta(' = 1;\n'));
    assert.equal(await code.textContent(), 'const a = 1;');
    assert.deepEqual(await code.evaluate((element) => [element.dataset['mark'], element.childElementCount]), [
      'same',
      0,
    ]);
    await panel.events(sessionId, ...delta('```\n'));
    await panel.page.locator('.code-block .hljs-keyword').waitFor();
    assert.equal(await code.textContent(), 'const a = 1;');
    assert.equal(await panel.page.locator('.code-language').textContent(), 'ts');
  });

  it('asks once for a snapshot after a gap and continues from it', async () => {
    const panel = await start();
    await panel.events(sessionId, ...delta('The first '));
    panel.lose();
    await panel.events(sessionId, ...delta('part'));
    await panel.events(sessionId, ...delta(', the third'));
    assert.deepEqual(await panel.intents(), [{ type: 'needSnapshot' }]);
    await panel.snapshot(view([prompt('Hello'), answer('The first and second part', { isStreaming: true })]));
    assert.equal(await panel.page.locator('.answer').innerText(), 'The first and second part');
    assert.deepEqual(await panel.intents(), [{ type: 'needSnapshot' }]);
  });

  it('follows the end until the person scrolls up, and again after "Jump to Latest"', async () => {
    const panel = await start();
    await panel.events(sessionId, ...delta(lines(60)));
    assert.equal(await distanceToEnd(panel), 0);
    const jump = panel.page.getByRole('button', { name: 'Jump to Latest' });
    assert.equal(await jump.count(), 0);

    await panel.page.locator('.message-scroller').hover();
    await panel.page.mouse.wheel(0, -500);
    await jump.waitFor();
    const before = await panel.page.locator('.message-scroller').evaluate((element) => element.scrollTop);
    await panel.events(sessionId, ...delta(`\n\n${lines(20)}`));
    assert.equal(await panel.page.locator('.message-scroller').evaluate((element) => element.scrollTop), before);

    await jump.click();
    await jump.waitFor({ state: 'detached' });
    assert.equal(await distanceToEnd(panel), 0);
    await panel.events(sessionId, ...delta(`\n\n${lines(20)}`));
    assert.equal(await distanceToEnd(panel), 0);
  });

  it('restores its scroll position when the panel is shown again', async () => {
    const first = await webview.open();
    const session = view([prompt('Hello'), answer(lines(80))]);
    await first.snapshot(session);
    await first.page.locator('.message-scroller').hover();
    await first.page.mouse.wheel(0, -600);
    await first.page.waitForFunction(
      () => (window as unknown as { savedState?: { isFollowing: boolean } }).savedState?.isFollowing === false,
    );
    const savedState = await first.savedState();
    const second = await webview.open({ savedState });
    await second.snapshot(session);
    await second.page.getByRole('button', { name: 'Jump to Latest' }).waitFor();
    // Rows that are not on the page have estimated heights, so the scroll bar may differ.
    const placeOf = ({ page }: WebviewPage): Promise<number> =>
      page.locator('.answer').evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const moved = (await placeOf(second)) - (await placeOf(first));
    assert.ok(Math.abs(moved) <= 1, `moved by ${moved} pixels`);
  });

  it('shows what the server does and announces changes, but no tokens, to screen readers', async () => {
    const panel = await start();
    const status = panel.page.locator('[role=status][aria-live=polite]');
    const activity = panel.page.locator('.activity-text');
    await panel.events(sessionId, ...agent({ type: 'status', status: 'prefilling' }));
    await panel.events(
      sessionId,
      ...agent({ type: 'prompt_progress', progress: { total: 8000, processed: 2000, cached: 0 } }),
    );
    assert.equal(await activity.innerText(), 'Reading the prompt 25 % of 8k tokens');
    assert.equal(await status.textContent(), 'Reading the prompt');
    await panel.events(
      sessionId,
      ...agent({
        type: 'prompt_progress',
        progress: { total: 8000, processed: 4000, cached: 1000, elapsedMs: 1500 },
      }),
    );
    assert.equal(await activity.innerText(), 'Reading the prompt 50 % of 8k tokens · 2000 tokens/s · 2 s left');
    await panel.events(sessionId, ...agent({ type: 'status', status: 'generating' }), ...delta('An answer'));
    assert.equal(await activity.innerText(), 'Answering');
    assert.equal(await status.textContent(), 'Answering');
    await panel.events(sessionId, { type: 'state_changed', state: 'idle', ts: 0 });
    assert.equal(await activity.count(), 0);
    assert.equal(await status.textContent(), 'Open Agent has finished.');
  });

  it('keeps reasoning collapsed and opens it by keyboard', async () => {
    const panel = await start();
    await panel.events(sessionId, ...agent({ type: 'thinking_delta', block: 0, text: 'Let me see.' }));
    const toggle = panel.page.getByRole('button', { name: 'Thinking…' });
    assert.equal(await panel.page.getByText('Let me see.').count(), 0);
    await toggle.press('Enter');
    await panel.page.getByText('Let me see.').waitFor();
    await panel.events(sessionId, ...agent({ type: 'thinking_delta', block: 0, text: ' And more.' }));
    assert.equal(await panel.page.locator('.thinking-text').innerText(), 'Let me see. And more.');
  });

  it('counts down to the next attempt of a failed request', async () => {
    const panel = await start();
    const error = { code: 'connection', message: 'Cannot reach it: the connection was refused.' } as const;
    const ts = await panel.page.evaluate(() => Date.now());
    const event = { type: 'retry', attempt: 2, maxRetries: 3, delayMs: 1_800_000, error } as const;
    await panel.events(sessionId, { type: 'agent', event, ts });
    const activity = panel.page.locator('.activity-text');
    await activity.getByText('Trying again (2 of 3)').waitFor();
    assert.match(
      await activity.innerText(),
      /^Trying again \(2 of 3\) in (30 min [01]|29 min \d+) s · Cannot reach it: .*refused\.$/,
    );
    await panel.events(sessionId, ...agent({ type: 'status', status: 'loading_model', detail: 'Loading model' }));
    await activity.getByText('Loading the model').waitFor();
    assert.equal(await activity.getByText('Trying again').count(), 0);
  });

  it("shows how full the model's context is", async () => {
    const panel = await start();
    await panel.events(sessionId, ...agent({ type: 'usage', usage: { promptTokens: 8000, completionTokens: 192 } }));
    const meter = panel.page.locator('.context-use');
    assert.equal(await meter.innerText(), '8.2k of 32k');
    assert.match(
      (await meter.getAttribute('aria-label')) ?? '',
      /^8\.2k of 32k\. The conversation has 8192 tokens, as the server counted\./,
    );
    await panel.events(sessionId, { type: 'context', tokens: 12_300, isEstimate: true, window: 16_384, ts: 0 });
    assert.equal(await meter.innerText(), '≈ 12k of 16k');
    assert.equal(
      await meter.getAttribute('aria-label'),
      '≈ 12k of 16k. The conversation has about 12300 tokens, an estimate. The model holds 16384, as the server says.',
    );
  });

  it('keeps the context on one line in a narrow panel, with room for the name of the model', async () => {
    const panel = await webview.open({ width: 260 });
    const id = 'deepseek-coder-v2-lite-instruct';
    const context = { tokens: 12_300, isEstimate: true, window: 32_768 };
    const state = { models: [{ id, contextWindow: 32_768 }], selectedModel: id };
    await panel.snapshot(view([prompt('Hello'), answer('Hi.')], { context }), state);
    const meter = panel.page.locator('.context-use');
    assert.equal(await meter.innerText(), '≈ 12k');
    const facts = /The conversation has about 12300 tokens, an estimate\. The model holds 32768/;
    assert.match((await meter.getAttribute('title')) ?? '', facts);
    assert.match((await meter.getAttribute('aria-label')) ?? '', /^≈ 12k of 32k\. The conversation has /);
    assert.ok(((await meter.boundingBox())?.height ?? 0) <= 24);
    const name = panel.page.locator('.dropdown-label', { hasText: id });
    assert.ok(((await name.boundingBox())?.width ?? 0) > 80);
    await panel.screenshot('narrow-composer');
  });

  for (const [mode, id] of [
    ['ask', 'qwen3-8b'],
    ['acceptEdits', 'devstral:24b'],
    ['sandbox', 'gpt-oss-120b'],
  ] as const) {
    it(`shows the whole name ${id} and the whole mode ${mode} at every width`, async () => {
      const panel = await webview.open({ width: 260 });
      const context = { tokens: 12_300, isEstimate: true, window: 32_768 };
      await panel.snapshot(view([prompt('Hello'), answer('Hi.')], { context, state: 'running' }), {
        models: [{ id, contextWindow: 32_768, hasVision: true }],
        selectedModel: id,
        agent: { ...readyPanel.agent, mode },
      });
      await panel.page.getByLabel('Message to Open Agent').fill('And add a test.');
      await panel.page.getByRole('button', { name: 'Attach Images…' }).waitFor();
      for (let width = 260; width <= 480; width += 10) {
        await panel.page.setViewportSize({ width, height: 600 });
        const cut = await panel.page
          .locator('.dropdown-label')
          .evaluateAll((labels) =>
            labels.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent),
          );
        assert.deepEqual(cut, [], `${width} pixels`);
        assert.deepEqual(await overflowing(panel.page), [], `${width} pixels`);
      }
    });
  }

  it('tells by section what fills the context, and what goes first', async () => {
    const panel = await start();
    const sections = { system: 700, tools: 1_300, instructions: 400, files: 0, conversation: 5_600, results: 4_300 };
    const use = { tokens: 12_300, isEstimate: true, window: 16_384, sections };
    await panel.events(sessionId, { type: 'context', ...use, ts: 0 });
    const meter = panel.page.locator('.context-use');
    const details = panel.page.getByRole('group', { name: 'Context window' });
    await meter.press('Enter');
    assert.deepEqual(
      (await details.getByRole('listitem').allInnerTexts()).map((row) => row.trim().replace(/\s*\n\s*/g, ': ')),
      [
        'System prompt: 700',
        'Tools: 1.3k',
        'Instructions of the project: 400',
        'Conversation: 5.6k',
        'Results of tools: 4.3k',
        'Room for the answer: 4.1k',
      ],
    );
    await details.getByText('the model summarises the oldest messages and results', { exact: false }).waitFor();
    for (const theme of ['light', 'dark', 'high-contrast'] as const) {
      await panel.setTheme(theme);
      await panel.screenshot(`context-details-${theme}`);
    }
    const compact = details.getByRole('button', { name: 'Compact Conversation…' });
    assert.equal(await compact.count(), 0, 'while a run goes on');
    await panel.page.keyboard.press('Escape');
    assert.equal(await details.count(), 0);
    assert.equal(await meter.evaluate((element) => element === document.activeElement), true);
    await meter.click();
    await panel.page.locator('.message-scroller').click();
    assert.equal(await details.count(), 0);
    await panel.events(sessionId, { type: 'state_changed', state: 'idle', ts: 0 });
    await meter.press('Enter');
    await panel.page.keyboard.press('Tab');
    assert.equal(await compact.evaluate((element) => element === document.activeElement), true);
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'runCommand', command: 'compactSession' }]);
    assert.equal(await details.count(), 0);
  });

  it('says before a message is sent that it does not fit, and what to do', async () => {
    const panel = await webview.open();
    const sections = { system: 700, tools: 1_300, instructions: 0, files: 0, conversation: 8_000, results: 0 };
    const context = { tokens: 10_000, isEstimate: true, window: 16_384, sections };
    await panel.snapshot(view([prompt('Hello'), answer('Hi.')], { context }));
    const field = panel.page.getByLabel('Message to Open Agent');
    const note = panel.page.locator('.fit-note');
    const words = async (tokens: number): Promise<string> => {
      await field.fill('word'.repeat(tokens));
      return (await note.count()) === 0 ? '' : (await note.innerText()).trim();
    };
    assert.equal(await words(0), '');
    assert.equal(await words(2_000), '');
    assert.match(
      await words(4_000),
      /^This message has about 4(\.0)?k tokens\. To make room for it, the model first summarises/,
    );
    assert.match(
      await words(14_000),
      /^This message does not fit: it has about 14k tokens, and the model holds 16k\. Shorten it/,
    );
    await panel.screenshot('message-too-long');
    assert.equal(await words(10), '');
    // Nothing is known about the window.
    await panel.snapshot(view([]), { models: [], selectedModel: undefined });
    assert.equal(await words(14_000), '');
  });

  it('gives the reason why an answer ended early', async () => {
    const panel = await webview.open();
    const cuts = ['interrupted', 'incomplete', 'length'] as const;
    await panel.snapshot(view(cuts.map((cut, index) => answer(`${index} text`, { cut }))));
    assert.deepEqual(
      (await panel.page.locator('.cut').allInnerTexts()).map((text) => text.trim()),
      [
        'Stopped here.',
        'The answer was cut off before it was finished.',
        'The answer ended here: its token limit was reached.',
      ],
    );
  });

  it('shows the new session when another one is opened', async () => {
    const panel = await start();
    await panel.events(sessionId, ...delta('Old words'));
    await panel.snapshot({ ...view([prompt('Other')]), sessionId: 'session-2', title: 'Other session' });
    assert.equal(await panel.page.getByText('Old words').count(), 0);
    assert.equal(await panel.page.locator('.session-title').innerText(), 'Other session');
    await panel.send({ type: 'panel_changed', panel: readyPanel });
    assert.equal(await panel.page.locator('.session-title').innerText(), 'New session');
    await panel.page.getByText('What shall we work on?').waitFor();
  });
});
