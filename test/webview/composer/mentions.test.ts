import assert from 'node:assert/strict';
import { nameAt, suggest, withName } from '../../../src/webview/state/completion';
import { prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

describe('names of files in a prompt', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const field = (panel: WebviewPage) => panel.page.getByLabel('Message to Open Agent');
  const options = (panel: WebviewPage) => panel.page.getByRole('option');

  async function open(): Promise<WebviewPage> {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hi')]), { mcpServers: [] });
    return panel;
  }

  it('are quoted if they have blanks', () => {
    const typed = nameAt('see @my', 7)!;
    const found = suggest(typed, { prompts: [], resources: [] }, { typed: 'my', names: ['my notes.md'] })[0];
    assert.ok(found);
    assert.deepEqual(withName('see @my', typed, found), { text: 'see @"my notes.md" ', caret: 19 });
  });

  it('are requested while typing, and inserted by keyboard', async () => {
    const panel = await open();
    await field(panel).pressSequentially('Explain @a');
    await panel.send({ type: 'files_found', typed: 'a', names: ['src/app.ts', 'src/a\u202E.ts'] });
    assert.deepEqual(await options(panel).allInnerTexts(), ['@src/app.ts', '@src/a<U+202E>.ts']);
    assert.deepEqual(
      (await panel.intents()).filter(({ type }) => type !== 'saveDraft'),
      [
        { type: 'findFiles', typed: '' },
        { type: 'findFiles', typed: 'a' },
      ],
    );
    await panel.screenshot('mentions');
    await field(panel).press('Enter');
    assert.equal(await field(panel).inputValue(), 'Explain @src/app.ts ');
    assert.equal(await options(panel).count(), 0);
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intent('submitPrompt'), {
      type: 'submitPrompt',
      sessionId,
      text: 'Explain @src/app.ts',
    });
  });

  it('say that more are looked for, and keep the list until they come', async () => {
    const panel = await open();
    await field(panel).pressSequentially('@b');
    await panel.send({ type: 'files_found', typed: 'b', names: [], isPartial: true });
    await panel.page.getByText('Looking for more files…').first().waitFor();
    assert.equal(await options(panel).count(), 0);
    await panel.send({ type: 'files_found', typed: 'b', names: ['src/b.ts'], isPartial: true });
    await panel.page.locator('.completions').getByText('Looking for more files…').waitFor();
    assert.deepEqual(await options(panel).allInnerTexts(), ['@src/b.ts']);
    await panel.screenshot('mentions-partial');
    await panel.send({ type: 'files_found', typed: 'b', names: ['src/b.ts', 'z/b.ts'] });
    assert.deepEqual(await options(panel).allInnerTexts(), ['@src/b.ts', '@z/b.ts']);
    assert.equal(await panel.page.getByText('Looking for more files…').count(), 0);
  });

  it('close the list when a name is complete, so that Enter sends', async () => {
    const panel = await open();
    await field(panel).pressSequentially('@src/a.ts');
    await panel.send({ type: 'files_found', typed: 'src/a.ts', names: ['src/a.ts', 'src/a.tsx'] });
    assert.equal(await options(panel).count(), 0);
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intent('submitPrompt'), { type: 'submitPrompt', sessionId, text: '@src/a.ts' });
  });
});
