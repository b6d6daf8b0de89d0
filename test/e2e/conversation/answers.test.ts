import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

describe('an answer in the VS Code window', function () {
  this.timeout(180_000);
  const window = useChatWindow({
    files: {
      'src/cart.js': `${'// a line\n'.repeat(8)}const total = 0;\n`,
      'src/price.js': 'export const cents = 100;\n',
      'lib/price.js': 'export {};\n',
      '.env': 'KEY=1\n',
    },
  });
  const link = (name: string) => window.panel.getByRole('link', { name, exact: true });

  it('links the files that exist, however it writes them', async () => {
    const text = [
      'In code `src/price.js` and `src/cart.js:9`, in text src/cart.js:2 and src/price.js too.',
      'By name `cart.js`, cart.js:9, `price.js`. Not there: `src/gone.js`, `.env`, ../secret.txt:1, `/etc/passwd`.',
    ].join('\n\n');
    await window.ask('Where is it?', { text });
    await link('cart.js').waitFor();
    await window.untilIdle();
    assert.deepEqual(await window.panel.locator('.answer').getByRole('link').allInnerTexts(), [
      ...['src/price.js', 'src/cart.js:9', 'src/cart.js:2', 'src/price.js', 'cart.js', 'cart.js:9'],
    ]);

    await link('cart.js:9').click();
    await window.workbench.until(
      'line 9 of the file is on screen',
      async () =>
        (await window.workbench.editorText()).includes('const total') &&
        (await window.workbench.page.locator('.statusbar').innerText()).includes('Ln 9'),
    );
    await link('src/price.js').first().press('Enter');
    await window.workbench.until('the other file is open', async () =>
      (await window.workbench.editorText()).includes('cents'),
    );
    await window.workbench.screenshot('answer-links');
  });
});
