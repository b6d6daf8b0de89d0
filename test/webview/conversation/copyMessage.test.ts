import assert from 'node:assert/strict';
import type { ViewItem } from '../../../src/agent/view/sessionView';
import { isEndOfAnswer } from '../../../src/webview/conversation/copying/answerText';
import { answer, prompt, tool, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

describe('copying a message', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const markdown = [
    '## Why',
    'The **sum** of `a`\nand [b](https://example.com):',
    '1. one\n   - [x] deep\n2. two',
    '```js\nif (a) {\n\n\n  b();\n}\n```',
    '| x | y |\n|---|---|\n| 1 | 2 |',
  ].join('\n\n');
  const items: readonly ViewItem[] = [
    prompt('First'),
    answer('I look.'),
    tool({ id: 't', toolName: 'read_file', state: 'succeeded' }),
    answer(markdown),
    prompt('Second'),
    answer('The other.'),
  ];
  const show = async (state: 'idle' | 'running' = 'idle'): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(view(items, { state }));
    await panel.page.locator('.markdown:not(.markdown-plain)').first().waitFor();
    return panel;
  };
  const button = (panel: WebviewPage, name: string) => panel.page.getByRole('button', { name, exact: true });

  it('copies all texts of an answer, as they were written', async () => {
    const panel = await show();
    await button(panel, 'Copy as Markdown').first().click();
    assert.deepEqual(await panel.intents(), [{ type: 'copyText', text: `I look.\n\n${markdown}` }]);
    await button(panel, 'Copied').waitFor();
    await panel.page.mouse.move(0, 0);
    assert.equal(await button(panel, 'Copied').count(), 0);
  });

  it('copies an answer as it reads', async () => {
    const panel = await show();
    await button(panel, 'Copy Message').first().press('Enter');
    const { text } = await panel.intent('copyText');
    assert.equal(
      text,
      [
        'I look.',
        'Why',
        'The sum of a\nand b:',
        '1. one\n  - [done] deep\n2. two',
        'if (a) {\n\n\n  b();\n}',
        'x\ty\n1\t2',
      ].join('\n\n'),
    );
  });

  it('offers that at the end of each answer, once it is finished', async () => {
    const panel = await show();
    assert.equal(await button(panel, 'Copy Message').count(), 2);
    await panel.snapshot(view(items, { state: 'running' }));
    assert.equal(await button(panel, 'Copy Message').count(), 1);
    const goingOn = view([...items, prompt('Third')], { state: 'running' });
    assert.equal(goingOn.items.filter((item) => isEndOfAnswer(goingOn, item)).length, 2);
  });

  it('copies what the context menu means', async () => {
    const panel = await show();
    const contexts = await panel.page
      .locator('[data-vscode-context]')
      .evaluateAll((all) =>
        all.map((element) => JSON.parse(element.dataset['vscodeContext'] ?? '') as { itemId: string }),
      );
    assert.equal(contexts.length, 5);
    for (const { itemId } of contexts.slice(0, 2)) await panel.send({ type: 'copy_message', itemId, format: 'text' });
    await panel.send({ type: 'copy_message', format: 'markdown' });
    const texts = (await panel.intents()).map((intent) => (intent.type === 'copyText' ? intent.text.slice(0, 12) : ''));
    assert.deepEqual(texts, ['First', 'I look.\n\nWhy', 'The other.']);
  });
});
