import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/agent/view/sessionEvents';
import type { ToolItem, ViewItem } from '../../../src/agent/view/sessionView';
import { foldRows } from '../../../src/webview/conversation/rows/foldRows';
import { readingsTitle } from '../../../src/webview/format/readingsTitle';
import { accessibilityProblems } from '../support/accessibility';
import { answer, commandCard, editCard, prompt, sessionId, tool, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

const read = (id: string, rest: Partial<ToolItem> = {}): ToolItem =>
  tool({ id, toolName: 'read_file', state: 'succeeded', input: { path: `src/${id}.ts` }, result: '1\tx', ...rest });
const search = (id: string): ToolItem => read(id, { toolName: 'search_text', input: { pattern: id } });
const thought = (id: string): ViewItem => ({
  ...{ kind: 'thinking', id, text: 'I look.', isStreaming: false, startedMs: 0, endedMs: 2_000 },
});

describe('the rows of a conversation', () => {
  const rowsOf = (items: readonly ViewItem[], options: Partial<Parameters<typeof foldRows>[1]> = {}) =>
    foldRows(items, { isOpen: () => false, isHeld: () => false, isRunning: false, ...options }).map((row) =>
      row.kind === 'readings' ? row.cards.map(({ id }) => id) : row.id,
    );

  it('fold consecutive cards that only read, with the thoughts between them', () => {
    const items = [thought('t1'), read('a'), thought('t2'), search('b'), thought('t3'), answer('x'), read('c')];
    assert.deepEqual(rowsOf(items), ['t1', ['a', 't2', 'b'], 't3', 'text x', 'c']);
  });

  it('show every other card: one that failed, asked, runs, changes something or is not ours', () => {
    const others = [
      read('failed', { state: 'failed' }),
      read('running', { state: 'running' }),
      read('asked', { approvalOutcome: 'allowed' }),
      read('foreign', { toolName: 'tickets_read' }),
      editCard,
      commandCard,
    ];
    for (const other of others) {
      assert.deepEqual(rowsOf([read('a'), read('b'), other, read('c')]), [['a', 'b'], other.id, 'c']);
    }
  });

  it('keep the newest card of a run', () => {
    assert.deepEqual(rowsOf([read('a'), read('b'), read('c')], { isRunning: true }), [['a', 'b'], 'c']);
    assert.deepEqual(rowsOf([read('a'), read('b')], { isRunning: true }), ['a', 'b']);
  });

  it('keep a card that is held, and show the cards of an open line after it', () => {
    const items = [read('a'), read('b'), read('c'), read('d'), read('e')];
    assert.deepEqual(rowsOf(items, { isHeld: ({ id }) => id === 'c' }), [['a', 'b'], 'c', ['d', 'e']]);
    assert.deepEqual(rowsOf(items, { isOpen: (id) => id === 'a' }), [
      ['a', 'b', 'c', 'd', 'e'],
      ...['a', 'b', 'c', 'd', 'e'],
    ]);
  });

  it('say how much was read', () => {
    const list = (id: string) => read(id, { toolName: 'list_directory', input: {} });
    const check = (id: string) => read(id, { toolName: 'get_diagnostics', input: {} });
    assert.equal(readingsTitle([read('a'), read('b'), read('b'), search('c')]), 'Read 2 files, searched once');
    assert.equal(readingsTitle([search('c'), list('d'), search('e')]), 'Listed a folder, searched twice');
    assert.equal(
      readingsTitle([read('a'), search('b'), search('c'), search('d'), check('e')]),
      'Read a file, searched 3 times, checked for problems once',
    );
  });
});

describe('cards that only read', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const text = (lines: number): string => 'A line of the answer.\n\n'.repeat(lines);

  const show = async (items: readonly ViewItem[], state: 'idle' | 'running' = 'idle'): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(view(items, { state }));
    return panel;
  };
  const line = (panel: WebviewPage) => panel.page.locator('.item-readings .disclosure');
  const cards = (panel: WebviewPage) =>
    panel.page.locator('.tool').evaluateAll((all) => all.map((card) => card.getAttribute('data-tool-use')));
  const start = (id: string): readonly SessionEvent[] => [
    { type: 'agent', event: { type: 'step_start', step: 1 }, ts: 0 },
    { type: 'agent', event: { type: 'tool_use_start', block: 0, id, name: 'read_file' }, ts: 0 },
    {
      type: 'agent',
      event: {
        type: 'assistant_message',
        message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: {} }] },
        responseId: '',
        model: 'qwen3-8b',
      },
      ts: 0,
    },
    {
      type: 'agent',
      event: { type: 'tool_execution_start', toolUseId: id, toolName: 'read_file', input: { path: `${id}.ts` } },
      ts: 0,
    },
  ];
  const end = (id: string): SessionEvent => ({
    type: 'agent',
    event: {
      type: 'tool_execution_end',
      toolUseId: id,
      outcome: 'succeeded',
      result: { type: 'tool_result', toolUseId: id, content: '1\tx', isError: false },
    },
    ts: 0,
  });
  const topOf = (panel: WebviewPage, selector: string) =>
    panel.page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top));

  it('fold into one line, which opens and closes by mouse and keyboard', async () => {
    const panel = await show([prompt('Go'), read('a'), thought('t'), read('b'), search('c'), answer('Done.')]);
    assert.equal(await line(panel).innerText(), 'Read 2 files, searched once');
    assert.deepEqual(await cards(panel), []);
    await line(panel).click();
    assert.deepEqual(await cards(panel), ['a', 'b', 'c']);
    assert.equal(await line(panel).getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await accessibilityProblems(panel.page), []);
    await line(panel).press('Enter');
    assert.deepEqual(await cards(panel), []);
    assert.equal(await line(panel).evaluate((element) => element === document.activeElement), true);
    await panel.page.keyboard.press('Space');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    assert.equal(await panel.page.locator('[data-tool-use=a] .tool-details').isVisible(), true);
  });

  it('leave the running card on the page', async () => {
    const panel = await show([prompt('Go'), read('a'), read('b')], 'running');
    assert.deepEqual(await cards(panel), ['a', 'b']);
    await panel.events(sessionId, ...start('c'));
    assert.deepEqual(await cards(panel), ['c']);
    await panel.events(sessionId, end('c'), ...start('d'));
    assert.deepEqual(await cards(panel), ['d']);
    assert.equal(await line(panel).innerText(), 'Read 3 files');
    await panel.events(sessionId, end('d'), { type: 'state_changed', state: 'idle', ts: 0 });
    assert.deepEqual([await line(panel).innerText(), await cards(panel)], ['Read 4 files', []]);
  });

  it('stay while the person has opened or focused them', async () => {
    const panel = await show([prompt('Go'), read('a'), read('b'), read('c')], 'running');
    // The first two are folded; the newest is a card.
    assert.deepEqual(await cards(panel), ['c']);
    await panel.page.locator('[data-tool-use=c] .tool-head').focus();
    await panel.events(sessionId, ...start('d'));
    await panel.events(sessionId, end('d'), ...start('e'));
    assert.deepEqual(await cards(panel), ['c', 'd', 'e']);
    assert.equal(
      await panel.page.evaluate(() =>
        document.activeElement?.closest('[data-tool-use]')?.getAttribute('data-tool-use'),
      ),
      'c',
    );
    await panel.page.keyboard.press('Enter');
    await panel.page.getByLabel('Message to Open Agent').focus();
    await panel.events(sessionId, end('e'), ...start('f'));
    assert.deepEqual((await cards(panel))[0], 'c');
  });

  it('never move what the person reads further up', async () => {
    const before = [answer(text(60)), read('a'), answer(`middle ${text(2)}`), read('b'), read('c')];
    const panel = await show([prompt('Go'), ...before], 'running');
    // Scrolls up a little: the cards are visible, and their list no longer follows its end.
    await panel.page.locator('.message-scroller').hover();
    await panel.page.mouse.wheel(0, -50);
    await panel.page.getByRole('button', { name: 'Jump to Latest' }).waitFor();
    const place = await topOf(panel, '[data-tool-use=b]');
    for (const id of ['d', 'e', 'f']) {
      await panel.events(sessionId, ...start(id));
      await panel.events(sessionId, end(id));
      assert.equal(await topOf(panel, '[data-tool-use=b]'), place);
    }
    assert.deepEqual((await cards(panel)).slice(0, 3), ['a', 'b', 'c']);
    // Far above, they fold when something changes; the text in sight stays.
    await panel.page.mouse.wheel(0, -900);
    await panel.page.evaluate(async () => {
      for (let frame = 0; frame < 5; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    const second = '.item-text >> nth=0 >> p >> nth=40';
    const textPlace = await topOf(panel, second);
    await panel.events(sessionId, ...start('g'));
    assert.equal(await topOf(panel, second), textPlace);
    await panel.page.getByRole('button', { name: 'Jump to Latest' }).click();
    await panel.page.locator('[data-tool-use=g]').waitFor();
    assert.deepEqual([await line(panel).innerText(), await cards(panel)], ['Read 5 files', ['a', 'g']]);
  });
});
