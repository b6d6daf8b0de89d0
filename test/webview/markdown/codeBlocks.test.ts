import assert from 'node:assert/strict';
import { readCodeInfo } from '../../../src/webview/markdown/code/codeInfo';
import { answer, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

describe('the buttons of a block of code', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const show = async (text: string, isStreaming = false): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(view([answer(text, { isStreaming })], { state: isStreaming ? 'running' : 'idle' }));
    await panel.page.locator('.code-block').first().waitFor();
    return panel;
  };
  const button = (panel: WebviewPage, name: string) => panel.page.getByRole('button', { name, exact: true });

  it('show on hover and on focus', async () => {
    const panel = await show('```js\nlet a;\n```');
    const bar = panel.page.getByRole('toolbar', { name: 'Code' });
    const opacity = () => bar.evaluate((element) => getComputedStyle(element).opacity);
    assert.equal(await opacity(), '0');
    await panel.page.locator('.code-block pre').hover();
    assert.equal(await opacity(), '1');
    await panel.page.mouse.move(0, 0);
    assert.equal(await opacity(), '0');
    await button(panel, 'Copy Code').focus();
    assert.equal(await opacity(), '1');
  });

  it('are reached by the arrow keys and tell the host what to do with the code', async () => {
    const code = 'let a = "<b>\u200B";\n\nlet b;';
    const panel = await show(`\`\`\`js src/a.js\n${code}\n\`\`\``);
    await button(panel, 'Copy Code').focus();
    for (let step = 0; step < 3; step += 1) {
      await panel.page.keyboard.press('ArrowRight');
      await panel.page.keyboard.press('Enter');
    }
    const intent = { type: 'useCode', sessionId, code, language: 'js', path: 'src/a.js' } as const;
    assert.deepEqual(await panel.intents(), [
      { ...intent, use: 'insert' },
      { ...intent, use: 'apply' },
      { ...intent, use: 'newFile' },
    ]);
    assert.equal(await panel.page.locator('.code-language').textContent(), 'src/a.js');
    await panel.page.keyboard.press('Home');
    assert.equal(await button(panel, 'Copy Code').evaluate((element) => element === document.activeElement), true);
  });

  it('name the file of the text before, if it names one', async () => {
    const panel = await show(
      'Change `src/a.js`:\n\n```js\n1\n```\n\n`src/a.js` and `src/b.js`:\n\n```js\n2\n```\n\n- In src/c.js:3:\n  ```js\n  3\n  ```',
    );
    for (const at of [0, 1, 2]) await button(panel, 'Apply to File…').nth(at).click();
    const intents = await panel.intents();
    assert.deepEqual(
      intents.map((intent) => intent.type === 'useCode' && [intent.code, intent.path]),
      [
        ['1', 'src/a.js'],
        ['2', undefined],
        ['3', 'src/c.js'],
      ],
    );
  });

  it('name the file of the text before in a long answer, too', async () => {
    // The page lays out 20 blocks together. The path is in the last of them, the code after it.
    const panel = await show(`${'A paragraph.\n\n'.repeat(19)}Change \`src/a.js\`:\n\n\`\`\`js\n1\n\`\`\``);
    assert.equal(await panel.page.locator('.markdown-group').last().locator('.markdown-block').count(), 1);
    await button(panel, 'Apply to File…').click();
    const intents = await panel.intents();
    assert.deepEqual(
      intents.map((intent) => intent.type === 'useCode' && intent.path),
      ['src/a.js'],
    );
  });

  it('only copy code that is not complete', async () => {
    const panel = await show('```js\nlet a', true);
    assert.equal(await panel.page.locator('.code-actions button').count(), 1);
    assert.equal(await button(panel, 'Copy Code').count(), 1);
  });
});

describe('readCodeInfo', () => {
  it('finds language and path', () => {
    const infos = [
      'js',
      'js src/a.js',
      'js:src/a.js',
      'src/a.js',
      'js title="src/a.js" {1,3}',
      'c++',
      '',
      'js:12',
      'sh -x',
    ];
    assert.deepEqual(
      infos.map((info) => Object.values(readCodeInfo(info))),
      [
        ['js', undefined],
        ['js', 'src/a.js'],
        ['js', 'src/a.js'],
        ['js', 'src/a.js'],
        ['js', 'src/a.js'],
        ['c++', undefined],
        ['', undefined],
        ['js', undefined],
        ['sh', undefined],
      ],
    );
  });
});
