import assert from 'node:assert/strict';
import type { McpApproval } from '../../../src/agent/view/approvalSummary';
import type { McpServerStatus } from '../../../src/protocol/toWebview';
import { nameAt, suggest, withName, type ServerItems } from '../../../src/webview/state/completion';
import { moreAnswer } from '../support/answers';
import { answer, prompt, sessionId, tool, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

const connected: McpServerStatus = { name: 'docs', state: 'connected' };
const items: ServerItems = {
  prompts: [
    { server: 'docs', name: 'review', description: 'Reviews a file', arguments: ['file', 'depth?'] },
    { server: 'docs', name: 'greet\u202E', description: 'Greets', arguments: [] },
  ],
  resources: [
    { server: 'docs', uri: 'docs://guide', description: 'The guide' },
    { server: 'docs', uri: 'docs://api/{name}', description: '' },
  ],
};

describe('names of MCP servers in a prompt', () => {
  const typing = (text: string) => nameAt(text, text.length);

  it('begin with / at the start and with @ at the start of a word', () => {
    assert.deepEqual(typing('/do'), { kind: 'prompt', start: 0, end: 3, typed: 'do' });
    assert.deepEqual(typing('see @docs:g'), { kind: 'mention', start: 4, end: 11, typed: 'docs:g' });
    assert.deepEqual(nameAt('see @docs:g more', 6), { kind: 'mention', start: 4, end: 6, typed: 'd' });
    for (const text of ['a /x', 'me@x', '/x y', '@x ', '']) assert.equal(typing(text), undefined, text);
  });

  it('are suggested by their beginning first, then by any part', () => {
    const names = (text: string) => suggest(typing(text)!, items, undefined).map(({ name }) => name);
    assert.deepEqual(names('/'), ['/docs:review', '/docs:greet\u202E']);
    assert.deepEqual(names('/GREET'), ['/docs:greet\u202E']);
    assert.deepEqual(names('@guide'), ['@docs:docs://guide']);
    assert.deepEqual(names('@nothing'), []);
    assert.equal(suggest(typing('/docs:r')!, items, undefined)[0]?.detail, 'asks for file, depth? · Reviews a file');
  });

  it('are completed, with a blank after them', () => {
    const guide = suggest(typing('@gui')!, items, undefined)[0];
    assert.ok(guide);
    assert.deepEqual(withName('see @gui', nameAt('see @gui', 8)!, guide), {
      text: 'see @docs:docs://guide ',
      caret: 23,
    });
    assert.deepEqual(withName('@gui now', nameAt('@gui now', 4)!, guide), {
      text: '@docs:docs://guide now',
      caret: 19,
    });
  });
});

describe('MCP servers in the panel', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const field = (panel: WebviewPage) => panel.page.getByLabel('Message to Open Agent');
  const options = (panel: WebviewPage) => panel.page.getByRole('option');

  async function open(...mcpServers: readonly McpServerStatus[]): Promise<WebviewPage> {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hi')]), { mcpServers });
    return panel;
  }

  it('suggests their prompts while a name is typed, and calls the chosen one', async () => {
    const panel = await open(connected);
    await field(panel).pressSequentially('/');
    await panel.page.getByText('Asking the MCP servers…').waitFor();
    await panel.intent('listCommands');
    assert.deepEqual(await panel.intents(), [{ type: 'listServerItems' }, { type: 'listCommands' }]);
    await panel.send({ type: 'server_items', ...items });
    assert.deepEqual(await options(panel).allInnerTexts(), [
      '/docs:review asks for file, depth? · Reviews a file',
      '/docs:greet<U+202E> Greets',
    ]);
    await panel.screenshot('mcp-prompts');
    await field(panel).press('ArrowDown');
    const active = (await field(panel).getAttribute('aria-activedescendant')) ?? '';
    assert.equal(await panel.page.locator(`#${active}`).innerText(), '/docs:greet<U+202E> Greets');
    assert.equal(await panel.page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await field(panel).press('ArrowDown');
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intent('submitPrompt'), { type: 'submitPrompt', sessionId, text: '/docs:review' });
    assert.equal(await options(panel).count(), 0);
    await panel.send({
      type: 'prompt_returned',
      text: 'Review a.ts, deeply.',
      message: 'Read it.',
      replaces: '/docs:review',
    });
    assert.equal(await field(panel).inputValue(), 'Review a.ts, deeply.');
    assert.equal(await panel.page.getByRole('alert').innerText(), 'Read it.');
  });

  it('inserts a resource at the caret, by keyboard or pointer, and sends nothing', async () => {
    const panel = await open(connected);
    await field(panel).fill('See  please');
    await field(panel).evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(4, 4));
    await field(panel).pressSequentially('@docs');
    await panel.send({ type: 'server_items', ...items });
    await field(panel).press('Tab');
    assert.equal(await field(panel).inputValue(), 'See @docs:docs://guide please');
    await field(panel).pressSequentially('@a');
    await options(panel).filter({ hasText: 'api' }).click();
    assert.equal(await field(panel).inputValue(), 'See @docs:docs://guide @docs:docs://api/{name} please');
    assert.equal(await field(panel).evaluate((element) => element === document.activeElement), true);
    assert.deepEqual(
      (await panel.intents()).filter(({ type }) => type !== 'listServerItems' && type !== 'findFiles'),
      [],
    );
  });

  it('sends with Enter after the list is closed', async () => {
    const panel = await open(connected);
    await field(panel).pressSequentially('/docs:re');
    await panel.send({ type: 'server_items', ...items });
    await options(panel).first().waitFor();
    await field(panel).press('Escape');
    assert.equal(await options(panel).count(), 0);
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intent('submitPrompt'), { type: 'submitPrompt', sessionId, text: '/docs:re' });
  });

  it('suggests nothing without a server', async () => {
    const panel = await open({ name: 'a', state: 'off' }, { name: 'b', state: 'needs_consent' });
    await field(panel).pressSequentially('/');
    await panel.intent('listCommands');
    await field(panel).press('Enter');
    await panel.intent('submitPrompt');
    assert.deepEqual(await panel.intents(), [{ type: 'listCommands' }, { type: 'submitPrompt', sessionId, text: '/' }]);
  });

  it('names the missing server and the reason until the message is dismissed', async () => {
    const failed: McpServerStatus = { name: 'docs', state: 'failed', reason: `no token\u200B\n${'x'.repeat(1000)}` };
    const panel = await open(failed);
    const banner = panel.page.getByRole('note', { name: 'MCP servers' });
    assert.match(
      await banner.innerText(),
      /^The MCP server docs is not available: no token<U\+200B> x{290}…\s+MCP Servers$/,
    );
    await panel.screenshot('mcp-failed');
    await banner.getByRole('button', { name: 'MCP Servers', exact: true }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'runCommand', command: 'showMcpServers' }]);
    await banner.getByRole('button', { name: 'Dismiss MCP Server Messages' }).click();
    assert.equal(await banner.count(), 0);
    const told = async (...servers: readonly McpServerStatus[]): Promise<string> => {
      await panel.snapshot(view([prompt('Hi'), answer('Hello.')]), { mcpServers: servers });
      return (await banner.count()) === 0 ? '' : (await banner.locator('p').allInnerTexts()).join('|');
    };
    assert.equal(await told(failed), '');
    assert.equal(await told(connected, { name: 'off', state: 'off' }, { name: 'new', state: 'idle' }), '');
    assert.equal(
      await told(
        { name: 'a', state: 'needs_consent' },
        { name: 'b', state: 'starting' },
        { ...connected, hasNewTools: true },
      ),
      'The MCP server a is not used until you allow it.|Starting the MCP server b.|The tools of the MCP server docs have changed. New sessions use them.',
    );
    // A new session uses them at once, and lists them before its first answer.
    for (const items of [[], [prompt('Hi')]]) {
      await panel.snapshot(view(items), { mcpServers: [{ ...connected, hasNewTools: true }] });
      assert.equal(await banner.count(), 0);
    }
  });

  const approval: McpApproval = {
    requestId: 'request-mcp',
    toolUseId: 'use-mcp',
    kind: 'mcp',
    reason: 'No rule allows this tool',
    server: 'docs',
    tool: 'read',
    arguments: '{}',
  };

  async function ask(rest: Partial<McpApproval>): Promise<WebviewPage> {
    const panel = await webview.open({ width: 320 });
    const card = tool({
      id: 'use-mcp',
      toolName: 'mcp__docs__read',
      state: 'awaiting_approval',
      input: {},
      approval: { ...approval, ...rest },
    });
    await panel.snapshot(view([prompt('Go'), card], { state: 'waiting_for_approval' }));
    return panel;
  }

  it('shows all arguments of a call, and hidden characters in its names', async () => {
    const text = JSON.stringify({ path: '/etc/\u202Epasswd', note: '<b>bold</b>', gap: ' '.repeat(40) }, undefined, 2);
    const panel = await ask({ tool: 'read</p>\u200B\n"all"', arguments: text });
    const card = panel.page.locator('.tool');
    assert.equal(
      await card.locator('.approval-reason').first().innerText(),
      'Run read</p><U+200B><LINE BREAK>"all" of the MCP server docs with:',
    );
    const shown = await card.getByLabel('Arguments').innerText();
    assert.ok(shown.includes('"path": "/etc/<U+202E>passwd"'), shown);
    assert.ok(shown.includes('<b>bold</b>'), shown);
    assert.equal(await card.locator('b').count(), 0);
    await panel.screenshot('mcp-question');
    assert.deepEqual(await card.locator('.approval .button').allInnerTexts(), ['Run', 'Deny']);
    await card.getByRole('button', { name: 'Run', exact: true }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'approve', sessionId, requestId: 'request-mcp' }]);
  });

  it('scrolls long arguments and keeps the buttons on the card', async () => {
    const text = JSON.stringify(
      { text: 'a'.repeat(5_000), lines: Array.from({ length: 200 }, (_, line) => line) },
      null,
      2,
    );
    const panel = await ask({ tool: 't'.repeat(300), arguments: text });
    const box = panel.page.getByRole('region', { name: 'Arguments' });
    assert.equal(await box.evaluate((element) => element.scrollHeight > element.clientHeight), true);
    assert.equal(await box.evaluate((element) => element.scrollWidth > element.clientWidth), false);
    assert.equal((await box.innerText()).replaceAll(/\s/g, '').length, text.replaceAll(/\s/g, '').length);
    // Their end is visible without scrolling, whatever pads them.
    assert.match(
      await panel.page.locator('.approval-warning').innerText(),
      /^The arguments are long: \d+ characters, 205 lines\. They end with: .*199/,
    );
    const card = await panel.page.locator('.tool').boundingBox();
    assert.ok(card && card.width <= 320, `${card?.width}`);
    await panel.screenshot('mcp-question-long');
  });

  it('explains what "Always" allows', async () => {
    const panel = await ask({ remember: { rules: ['tool:mcp__docs__read'], scopes: ['session', 'workspace'] } });
    const always = await moreAnswer(panel, 'Always in This Session');
    assert.equal(
      await always.locator('.menu-note').innerText(),
      'The server says that this tool only reads. This allows tool:mcp__docs__read with any arguments.',
    );
    await always.click();
    assert.deepEqual(await panel.intents(), [
      { type: 'approve', sessionId, requestId: 'request-mcp', remember: 'session' },
    ]);
  });
});
