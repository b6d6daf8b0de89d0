import assert from 'node:assert/strict';
import { prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

const commands = [
  { name: 'explain', detail: 'Explain the selected code, the open file or what you name' },
  { name: 'fix', detail: 'find and fix what is wrong in it' },
  { name: 'review', detail: 'review the selected code, or the uncommitted changes' },
  { name: 'release', detail: 'Writes \u202E the notes of a release' },
];

describe('commands in a prompt', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const field = (panel: WebviewPage) => panel.page.getByLabel('Message to Open Agent');
  const options = (panel: WebviewPage) => panel.page.getByRole('option');

  async function open(text: string): Promise<WebviewPage> {
    const panel = await webview.open();
    // Without a folder, without MCP servers: the commands are there anyway.
    await panel.snapshot(view([prompt('Hi')]), { mcpServers: [], hasFolder: false });
    await field(panel).pressSequentially(text);
    await panel.intent('listCommands');
    await panel.send({ type: 'commands_listed', commands });
    return panel;
  }

  it('are listed while their name is typed; Enter sends the chosen one', async () => {
    const panel = await open('/');
    assert.deepEqual(
      (await options(panel).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      commands.map(({ name, detail }) => `/${name} ${detail.replace('\u202E', '<U+202E>')}`),
    );
    await panel.screenshot('slash-commands');
    await field(panel).pressSequentially('re');
    assert.equal(await options(panel).count(), 2);
    await field(panel).press('ArrowDown');
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intent('submitPrompt'), { type: 'submitPrompt', sessionId, text: '/release' });
    await panel.send({ type: 'prompt_returned', text: '', replaces: '/release' });
    await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === '');
  });

  it('take words after Tab', async () => {
    const panel = await open('/ex');
    await field(panel).press('Tab');
    assert.equal(await field(panel).inputValue(), '/explain ');
    await field(panel).pressSequentially('the cache');
    assert.equal(await options(panel).count(), 0);
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intent('submitPrompt'), {
      type: 'submitPrompt',
      sessionId,
      text: '/explain the cache',
    });
  });

  it('fit into a narrow panel', async () => {
    const panel = await open('/');
    await panel.page.setViewportSize({ width: 260, height: 600 });
    const overflow = await panel.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
    await panel.screenshot('slash-commands-narrow');
  });
});
