import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

interface Page {
  readonly getComputedStyle: (element: unknown) => { readonly opacity: string };
}

describe('an answer in the VS Code window', function () {
  this.timeout(180_000);
  const window = useChatWindow({
    files: {
      'src/cart.js': `${'// a line\n'.repeat(8)}const total = 0;\n`,
      'src/price.js': 'export const cents = 100;\n',
      'lib/price.js': 'export {};\n',
      '.env': 'KEY=1\n',
      'src/sum.js': 'export function sum(a, b) {\n  return a - b;\n}\n\nexport const one = 1;\n',
      'notes.txt': 'one\ntwo\n',
    },
    // With auto save, inserted text would be saved after a second.
    settings: { 'files.autoSave': 'off' },
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

  it('sets formulas as MathML in the policy of the window', async () => {
    await window.ask('Which mean?', {
      text: 'The mean is $\\bar{x}$, for $5:\n\n$$\n\\bar{x} = \\frac{1}{n} \\sum_i x_i\n$$',
    });
    await window.panel.locator('.math-block[data-math="set"] mfrac').waitFor();
    assert.equal(await window.panel.locator('[data-math="set"]').count(), 2);
    await window.untilIdle();
    await window.workbench.screenshot('answer-math');
  });

  it('shows a diagram of Mermaid as the text that it is', async () => {
    const source = 'graph TD\n  A[Start] --> B{Is it?}';
    await window.ask('Draw it', { text: `So:\n\n\`\`\`mermaid\n${source}\n\`\`\`` });
    await window.untilIdle();
    assert.equal((await window.panel.locator('.answer pre').innerText()).trim(), source);
    assert.equal(await window.panel.locator('.answer svg').count(), 0);
  });

  it('tells its speed under the pointer, as the server measured it', async () => {
    const chunk = (more: object): string => `data: ${JSON.stringify({ choices: [], ...more })}\n\n`;
    const choice = (delta: object, finish: string | null): object => ({
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const timings = { prompt_n: 10, prompt_ms: 20, predicted_n: 50, predicted_ms: 1_000, predicted_per_second: 50 };
    const usage = { prompt_tokens: 10, completion_tokens: 50, total_tokens: 60 };
    const writes = [
      ...[chunk(choice({ content: 'Told.' }, null)), chunk(choice({}, 'stop')), chunk({ usage, timings })],
      'data: [DONE]\n\n',
    ];
    await window.ask('Tell me', { kind: 'raw', writes });
    await window.untilIdle();
    const speed = window.panel.locator('.answer-speed');
    await speed.waitFor({ state: 'attached' });
    assert.match(
      (await speed.getAttribute('data-text')) ?? '',
      /^50 tokens\/s · first token after (?:< 0\.1|\d+\.\d) s$/,
    );
    // This compilation has no DOM types.
    const opacity = (): Promise<string> =>
      speed.evaluate((element) => (globalThis as unknown as Page).getComputedStyle(element).opacity);
    await window.panel.locator('.answer p').first().hover();
    await window.workbench.until('the speed is seen', async () => (await opacity()) === '1');
    await window.workbench.screenshot('answer-speed');
  });

  it('has cards that open their file at the line', async () => {
    await window.ask(
      'Read on',
      { toolCalls: [{ name: 'read_file', arguments: { path: 'src/cart.js', start_line: 9 } }] },
      { text: 'Read.' },
    );
    await window.untilAnswered('Read.');
    await window.workbench.runCommand('View: Close All Editors');
    await window.panel.locator('.tool').getByRole('button', { name: 'Open File' }).click();
    await window.workbench.until('the line is on screen', async () =>
      (await window.workbench.page.locator('.statusbar').innerText()).includes('Ln 9'),
    );
  });

  it('links the symbols that a language server knows at one place', async () => {
    await window.workbench.openFile('src/sum.js');
    // The language server has answered when VS Code shows where the cursor is.
    await window.workbench.page.locator('.breadcrumbs-control').getByText('sum', { exact: true }).waitFor();
    await window.ask('Where?', { text: 'Call `sum(a, b)` with `cents`, not `nothingLikeIt` or `KEY`.' });
    await link('sum(a, b)').waitFor();
    await link('cents').waitFor();
    await window.untilIdle();
    assert.deepEqual(await window.panel.locator('.answer').last().getByRole('link').allInnerTexts(), [
      'sum(a, b)',
      'cents',
    ]);
    await link('cents').press('Enter');
    await window.workbench.until('the declaration is open', async () =>
      (await window.workbench.editorText()).includes('cents'),
    );
    await window.workbench.screenshot('answer-symbol-links');
  });

  const fence = '```';
  const corrected = 'export function sum(a, b) {\n  return a + b;\n}';
  const use = async (name: string): Promise<void> => {
    await window.panel.locator('.code-block').hover();
    await window.button(name).click();
  };

  it('inserts code at the cursor and into a new file, and copies it', async () => {
    const { workbench } = window;
    await workbench.openFile('notes.txt');
    await workbench.selectText('two');
    await window.ask('Write code', { text: `Here:\n\n${fence}js\nlet a;\nlet b;\n${fence}` });
    await window.button('Insert at Cursor').waitFor();
    await window.untilIdle();
    await use('Insert at Cursor');
    await workbench.until('the code is there', async () =>
      (await workbench.editorText()).includes('one\nlet a;\nlet b;'),
    );
    assert.equal(await window.read('notes.txt'), 'one\ntwo\n');

    await use('Copy Code');
    await workbench.until(
      'the code is copied',
      async () => String(await workbench.page.evaluate('navigator.clipboard.readText()')).trim() === 'let a;\nlet b;',
    );

    await use('Insert into New File');
    await workbench.until('a new file has it', async () => (await workbench.editorText()).trim() === 'let a;\nlet b;');
    await workbench.page.locator('.statusbar').getByText('JavaScript', { exact: true }).waitFor();
    await workbench.screenshot('answer-new-file');
  });

  it('applies code to the file that the answer names, after the person saw the diff', async () => {
    const { workbench } = window;
    await window.ask('Fix it', { text: `In \`src/sum.js\`:\n\n${fence}js\n${corrected}\n${fence}` });
    await window.button('Apply to File…').waitFor();
    await window.untilIdle();
    await use('Apply to File…');
    await workbench.page.locator('.editor-group-container.active .monaco-diff-editor').waitFor();
    await workbench.until('the proposal shows the code', async () =>
      (await workbench.editorText('modified')).includes('return a + b;'),
    );
    await workbench.screenshot('answer-apply');
    assert.match(await window.read('src/sum.js'), /a - b/);
    await workbench.runCommand('Open Agent: Accept Proposed Edit');
    await workbench.until('the file has the code', async () => (await window.read('src/sum.js')).includes('a + b'));
    assert.equal(await window.read('src/sum.js'), `${corrected}\n\nexport const one = 1;\n`);
  });

  it('writes nothing when the proposal is closed, and refuses protected files', async () => {
    const { workbench } = window;
    const before = await window.read('lib/price.js');
    await window.ask('More code', { text: `${fence}js lib/price.js\nexport {};\nexport const x = 1;\n${fence}` });
    await window.button('Apply to File…').waitFor();
    await window.untilIdle();
    await use('Apply to File…');
    // The file has no such lines, so the person says where they go.
    await workbench.page.locator('.quick-input-list').getByText('Replace the Whole File').click();
    await workbench.until('the proposal shows the code', async () =>
      (await workbench.editorText('modified')).includes('const x'),
    );
    await workbench.runCommand('View: Close Editor');
    await workbench.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    assert.equal(await window.read('lib/price.js'), before);

    await window.ask('And', { text: `${fence}sh .git/hooks/pre-commit.sh\necho\n${fence}` });
    await window.button('Apply to File…').waitFor();
    await window.untilIdle();
    await use('Apply to File…');
    await workbench.notification('.git/hooks/pre-commit.sh is a protected file.');
  });

  it('copies the whole answer, from its buttons and from the context menu', async () => {
    const { workbench } = window;
    await window.ask(
      'Look',
      { text: 'I **look**.', toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] },
      { text: 'It is `two`.' },
    );
    await window.untilAnswered('two');
    const composer = window.panel.getByLabel('Message to Open Agent');
    const untilPasted = (text: string): Promise<void> =>
      workbench.until(`${JSON.stringify(text)} is pasted`, async () => {
        if ((await composer.inputValue()) === text) return true;
        await composer.fill('');
        await composer.press('Control+v');
        return false;
      });
    await window.panel.locator('.answer').last().hover();
    await window.button('Copy as Markdown').click();
    await window.button('Copied').waitFor();
    await untilPasted('I **look**.\n\nIt is `two`.');

    await workbench.contextMenu(window.panel.locator('.answer').first(), 'Copy Message');
    await untilPasted('I look.\n\nIt is two.');
    await workbench.screenshot('answer-copy');
  });
});
