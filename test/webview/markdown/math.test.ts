import assert from 'node:assert/strict';
import { createMarkdownParser } from '../../../src/webview/markdown/markdownParser';
import { accessibilityProblems } from '../support/accessibility';
import { answer, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

const parser = createMarkdownParser();

/** The formulas of a text, as they were written. */
function formulasOf(text: string): readonly string[] {
  return parser
    .parse(text, {})
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(({ type }) => type === 'math_inline' || type === 'math_block')
    .map(({ content }) => content);
}

describe('formulas in Markdown', () => {
  const cases: readonly (readonly [text: string, ...formulas: readonly string[]])[] = [
    ['The area is $\\pi r^2$.', '$\\pi r^2$'],
    ['With \\(x_1\\) and $x$, and $$y$$.', '\\(x_1\\)', '$x$', '$$y$$'],
    ['So:\n$$\na + b\n= c\n$$\nDone.', '$$\na + b\n= c\n$$'],
    ['\\[ E = mc^2 \\]', '\\[ E = mc^2 \\]'],
    ['\\[\nE = mc^2\n\\]', '\\[\nE = mc^2\n\\]'],
    [
      '$$\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}$$',
      '$$\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}$$',
    ],
    ['- item\n  $$\n  x^2\n  $$', '$$\nx^2\n$$'],
    ['> $$\n> x^2\n> $$', '$$\nx^2\n$$'],
    ['| a | $x^2$ |\n|---|---|', '$x^2$'],
    ['$a_1 b_1$ and *$c_1$*', '$a_1 b_1$', '$c_1$'],
    // Prices, variables, programs and sentences.
    ['It costs $5 and $10, or US$5 to $7.'],
    ['It costs $5 and $10, and then $\\frac{1}{2}$.', '$\\frac{1}{2}$'],
    ['It costs $5, and then $x^2$ of $7.', '$x^2$'],
    ['Set $HOME/bin:$PATH or $HOME and $USER.'],
    ['`$x$` and ``\\(y\\)``'],
    ['```\n$$\nx\n$$\n```'],
    ['A \\$5 note and \\$x\\$.'],
    ['$$ is the number of the process, and $! another.'],
    ['\\[not a link\\](src/a.ts) and \\[x]'],
    ['$.ajax() and $.get()'],
    ['Between $5-$10 or 5$ and 10$'],
    ['$$\nnever closed\n\nnext'],
    [`$${'x+'.repeat(300)}x$`],
  ];
  for (const [text, ...formulas] of cases) {
    it(`${formulas.length === 0 ? 'are not in' : 'are in'} ${JSON.stringify(text.slice(0, 50))}`, () =>
      assert.deepEqual(formulasOf(text), formulas));
  }

  it('never lose a text that is no formula', () => {
    for (const [text, ...formulas] of cases) {
      if (formulas.length > 0) continue;
      const html = parser.render(text);
      for (const word of text.match(/[A-Za-z]{3,}/g) ?? []) assert.ok(html.includes(word), `${word} of ${text}`);
    }
  });
});

describe('formulas of an answer', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const show = async (text: string): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(view([answer(text)]));
    await panel.page.locator('[data-math]').first().waitFor();
    return panel;
  };
  const set = (panel: WebviewPage) => panel.page.locator('[data-math="set"]');
  const plain = (panel: WebviewPage) => panel.page.locator('[data-math="plain"]');

  it('are set as MathML, without styles and in the page’s policy', async () => {
    const panel = await show(
      [
        'The mean of $x_1, \\dots, x_n$ is \\(\\bar{x}\\):',
        '$$\n\\begin{aligned}\n\\bar{x} &= \\frac{1}{n} \\sum_{i=1}^n x_i \\\\\n&\\approx \\sqrt{2}\n\\end{aligned}\n$$',
        '\\[ \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\color{red}{x} \\]',
      ].join('\n\n'),
    );
    await set(panel).nth(3).waitFor();
    assert.equal((await panel.page.locator('.math math').count()) >= 4, true);
    assert.equal(await panel.page.locator('.math mfrac').count(), 1);
    assert.equal(await panel.page.locator('.math mtable').count(), 2);
    assert.equal(await panel.page.locator('.math [style], .math [href], .math [id], .math [src]').count(), 0);
    assert.equal(await set(panel).first().getAttribute('title'), '$x_1, \\dots, x_n$');
    assert.deepEqual(await accessibilityProblems(panel.page), []);
    await panel.screenshot('math');
  });

  it('stay as they were written where they have mistakes or are hostile', async () => {
    const hostile = [
      '$\\frac{1$',
      '$\\def\\a{b}\\a$',
      '$\\href{https://example.com}{x}$',
      '$\\includegraphics{https://example.com/a.png}$',
      '$\\htmlStyle{position:fixed}{x}$',
      '$x\u202e + 1$',
      `$$\n${'{'.repeat(900)}x${'}'.repeat(900)}\n$$`,
      `$$\n${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}\n$$`,
    ];
    const panel = await show(hostile.join('\n\n'));
    await plain(panel)
      .nth(hostile.length - 1)
      .waitFor();
    assert.equal(await set(panel).count(), 0);
    assert.match(await plain(panel).first().innerText(), /^\$\\frac\{1\$$/);
  });

  it('cannot reach beyond their place', async () => {
    const panel = await show(
      '$a\\kern-900em b$ $\\rule{900em}{900em}$ $\\raisebox{900em}{x}$ $\\hspace{-99em}y$\n\n$$\n\\mathllap{\\text{over the text}} x\n$$',
    );
    await panel.page.locator('[data-math="written"]').first().waitFor({ state: 'detached' });
    const boxes = await panel.page.locator('.math *').evaluateAll((elements) =>
      elements.map((element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        return { left, right, width, height };
      }),
    );
    for (const { left, right, height } of boxes)
      assert.ok(left > -100 && right < 900 && height < 300, JSON.stringify({ left, right, height }));
  });

  it('appear while the answer grows, and do not flicker', async () => {
    const panel = await webview.open();
    const text = 'First $x^2$ then $y^2$ and more';
    await panel.snapshot(view([answer('First $x^2$', { id: 'a', isStreaming: true })], { state: 'running' }));
    await set(panel).first().waitFor();
    const seen = await panel.page.evaluate(() => {
      const states: string[] = [];
      (window as unknown as { states: string[] }).states = states;
      new MutationObserver(() => {
        states.push(document.querySelector<HTMLElement>('[data-math]')?.dataset['math'] ?? 'none');
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
      return states.length;
    });
    assert.equal(seen, 0);
    for (let end = 12; end <= text.length; end += 4)
      await panel.snapshot(view([answer(text.slice(0, end), { id: 'a', isStreaming: true })], { state: 'running' }));
    await set(panel).nth(1).waitFor();
    const states = await panel.page.evaluate(() => (window as unknown as { states: string[] }).states);
    assert.deepEqual([...new Set(states)], ['set']);
  });

  it('keep the comma that follows them on their line', async () => {
    const panel = await show(
      `${'So that '.repeat(12)} with $x^2 \\ge 0$, ${'and so on '.repeat(4)}\n\n` +
        'The mean of $x_1, \\dots, x_n$ is \\(\\bar{x}\\), with $\\sigma^2 \\ge 0$:\n\n$$\nx\n$$',
    );
    await set(panel).nth(4).waitFor();
    for (let width = 260; width <= 420; width += 2) {
      await panel.page.setViewportSize({ width, height: 600 });
      const apart = await panel.page.locator('.math-marked').evaluateAll((all) =>
        Math.max(
          ...all.map((element) => {
            const range = document.createRange();
            range.selectNodeContents(element.lastChild!);
            const formula = element.querySelector('math')!.getBoundingClientRect();
            return Math.abs(range.getBoundingClientRect().bottom - formula.bottom);
          }),
        ),
      );
      assert.ok(apart < 12, `${apart} at ${width} pixels`);
    }
  });

  it('copy as they were written', async () => {
    const panel = await show('The area is $\\pi r^2$.\n\n$$\nx\n$$');
    await set(panel).nth(1).waitFor();
    await panel.page.getByRole('button', { name: 'Copy Message' }).click();
    const copied = (await panel.intent('copyText')).text;
    assert.equal(copied, 'The area is $\\pi r^2$.\n\n$$\nx\n$$');
  });
});
