import assert from 'node:assert/strict';
import { safetySample } from '../../support/safetySample';
import { answer, markdownAnswer, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

describe('Markdown of an answer', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const show = async (text: string): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(view([answer(text)]));
    await panel.page.locator('.markdown:not(.markdown-plain)').waitFor();
    return panel;
  };

  it('renders headings, lists, tables, quotes, tasks and code', async () => {
    const panel = await show(markdownAnswer);
    const count = (selector: string): Promise<number> => panel.page.locator(`.markdown ${selector}`).count();
    assert.deepEqual(
      await Promise.all(['h2', 'ol > li', 'td', 'blockquote', '.task', '.code-block', 'em', 'strong'].map(count)),
      [1, 2, 3, 1, 2, 2, 1, 1],
    );
  });

  it('decodes the names of characters as HTML does, and leaves other words', async () => {
    const text =
      '&copy; &AMP; &notin; &notit; &semi; &nosuchname; &lt;b&gt; &CounterClockwiseContourIntegral; &#65; &quot;';
    const panel = await show(`${text}\n\n[a](src/&uuml;.ts)`);
    const shown = await panel.page.locator('.markdown p').first().innerText();
    assert.equal(shown, '© & ∉ &notit; ; &nosuchname; <b> ∳ A "');
    assert.equal(await panel.page.getByRole('link', { name: 'a', exact: true }).getAttribute('data-file'), 'src/ü.ts');
  });

  it('sanitises the blocks that come together in one document, and shows them as those that come alone', async () => {
    const panel = await webview.open();
    // Once the parser is there, which tries a text of its own.
    await panel.snapshot(view([answer('First.', { id: 'first' })]));
    await panel.page.locator('.markdown:not(.markdown-plain)').waitFor();
    await panel.page.evaluate(() => {
      const parse = DOMParser.prototype.parseFromString;
      Object.assign(window, { documents: 0 });
      DOMParser.prototype.parseFromString = function (...parts) {
        (window as unknown as { documents: number }).documents += 1;
        return parse.apply(this, parts);
      };
    });
    const text = '# Title\n\nSome *words*.\n\n- one\n- two\n\n| a |\n|---|\n| 1 |\n\n> quoted';
    const blocks = panel.page.locator('.markdown-block');
    const shown = (): Promise<readonly string[]> => blocks.evaluateAll((all) => all.map(({ innerHTML }) => innerHTML));
    await panel.snapshot(view([answer(text)]));
    await panel.page.locator('.markdown blockquote').waitFor();
    const together = await shown();
    assert.equal(await panel.page.evaluate(() => (window as unknown as { documents: number }).documents), 1);
    const alone: string[] = [];
    for (const part of text.split('\n\n')) {
      await panel.snapshot(view([answer(part, { id: `text ${part}` })]));
      await panel.page.locator('.markdown:not(.markdown-plain)').waitFor();
      alone.push(...(await shown()));
    }
    assert.deepEqual(together, alone);
  });

  it('keeps what does not change while an answer grows, and shows it as one that comes whole', async () => {
    const panel = await webview.open();
    const blocks = panel.page.locator('.markdown-block');
    const shown = (): Promise<readonly string[]> => blocks.evaluateAll((all) => all.map(({ innerHTML }) => innerHTML));
    const grown = answer('', { id: 'grown', isStreaming: true });
    const text = [
      '- one *a*\n- two\u200B\n  - three `b.ts`\n    more\n  - four\n- five',
      '| a | b |\n|---|---|\n| 1 | **2** |\n| 3 | 4 |',
      '> quoted\n> - in it\n>\n> ```js\n> let a;\n> ```',
      'Some words, $x^2$ and [a link](https://example.com/a).\nAnother line.',
      '1. first\n\n   ```sh\n   ls\n   ```\n2. second',
    ].join('\n\n');
    await panel.snapshot(view([{ ...grown, text: text.slice(0, 9) }]));
    await panel.page.locator('.markdown li').first().waitFor();
    await panel.page.evaluate(() => {
      const item = document.querySelector('.markdown li');
      Object.assign(window, { item });
      if (item !== null) getSelection()?.selectAllChildren(item);
    });
    for (let end = 10; end < text.length; end += 7)
      await panel.snapshot(view([{ ...grown, text: text.slice(0, end) }]));
    const kept = await panel.page.evaluate(() => {
      const { item } = window as unknown as { item: Element };
      return [item.isConnected, getSelection()?.toString()];
    });
    assert.deepEqual(kept, [true, 'one a']);
    await panel.snapshot(view([answer(text, { id: 'grown' })]));
    await panel.page.locator('.markdown .code-block').nth(1).waitFor();
    const afterGrowing = await shown();
    await panel.snapshot(view([answer(text, { id: 'whole' })]));
    await panel.page.locator('.markdown .code-block').nth(1).waitFor();
    assert.deepEqual(afterGrowing, await shown());
  });

  it('opens links and files through the host, by mouse and keyboard', async () => {
    const panel = await show('[site](https://example.com/a) and [file](src/a.ts#L7) and `src/b.ts:9`');
    await panel.page.getByRole('link', { name: 'site' }).click();
    await panel.page.getByRole('link', { name: 'file' }).press('Enter');
    await panel.send({ type: 'places_found', places: [{ name: 'src/b.ts', path: 'src/b.ts' }] });
    await panel.page.getByRole('link', { name: 'src/b.ts:9' }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'openLink', href: 'https://example.com/a', text: 'site' },
      { type: 'openFile', path: 'src/a.ts', line: 7 },
      { type: 'openFile', path: 'src/b.ts', line: 9 },
    ]);
    assert.equal(await panel.page.locator('[href]:not(link)').count(), 0);
  });

  it('names the real host of an address with letters beyond a to z', async () => {
    const panel = await show('[Apple](https://\u0430pple.com/a)');
    const link = panel.page.getByRole('link', { name: 'Apple' });
    assert.equal(await link.getAttribute('title'), 'https://\u0430pple.com/a (xn--pple-43d.com)');
  });

  it('finds later link definitions', async () => {
    const panel = await show('See [the docs][1].');
    assert.equal(await panel.page.getByRole('link').count(), 0);
    await panel.snapshot(
      view([answer('See [the docs][1].\n\n[1]: https://example.com/docs', { id: 'text See [the docs][1].' })]),
    );
    await panel.page.getByRole('link', { name: 'the docs' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'openLink', href: 'https://example.com/docs', text: 'the docs' }]);
  });

  it('copies code as it was written', async () => {
    const code = 'if (a < b) {\n  return "<b>";\n}';
    const panel = await show(`\`\`\`js\n${code}\n\`\`\``);
    await panel.page.getByRole('button', { name: 'Copy Code' }).click();
    await panel.page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await panel.page.evaluate(() => navigator.clipboard.readText()), code);
  });

  /** The names shown for hidden characters inside an element. */
  const marked = (panel: WebviewPage, within: string): Promise<readonly string[]> =>
    panel.page
      .locator(`${within} .hidden-character`)
      .evaluateAll((all) => all.map((element) => JSON.parse(getComputedStyle(element, '::before').content) as string));

  it('shows hidden characters everywhere, and copies and opens the original text', async () => {
    const tags = '\u{E0069}'.repeat(12);
    const code = 'rm\u202E -rf\u00A0~';
    const text = [
      `# A\u200Bb`,
      `- one\u2066 **two\u00AD**${tags}`,
      `| c\u2060 |\n|---|\n| d\u2063 |`,
      `[site\u200D](https://example.com/a)`,
      `\`\`\`sh\n${code}\n\`\`\``,
      `\`\`\`\nopen\u200B`,
    ].join('\n\n');
    const panel = await show(text);
    assert.deepEqual(await marked(panel, '.markdown'), [
      '<U+200B>',
      '<U+2066>',
      '<U+00AD>',
      '<12 hidden characters, first U+E0069>',
      '<U+2060>',
      '<U+2063>',
      '<U+200D>',
      '<U+202E>',
      '<NO-BREAK SPACE>',
      '<U+200B>',
    ]);
    await panel.page.getByRole('button', { name: 'Copy Code' }).first().click();
    assert.equal(await panel.page.evaluate(() => navigator.clipboard.readText()), code);
    await panel.page.getByRole('link').click();
    assert.deepEqual(await panel.intents(), [{ type: 'openLink', href: 'https://example.com/a', text: 'site\u200D' }]);
  });

  it('shows hidden characters in coloured and in incomplete code', async () => {
    const panel = await show('```js\nconst a\u200B = 1;\n```');
    await panel.page.locator('.markdown .hljs-keyword').waitFor();
    assert.deepEqual(await marked(panel, '.markdown'), ['<U+200B>']);
    const growing = (code: string) =>
      panel.snapshot(view([answer(`\`\`\`js\n${code}`, { id: 'growing', isStreaming: true })], { state: 'running' }));
    await growing('let b');
    await growing('let b\u202E = 2;');
    await growing('let b\u202E = 2;\nlet c;');
    assert.deepEqual(await marked(panel, '.markdown'), ['<U+202E>']);
    assert.equal(await panel.page.locator('.markdown code').textContent(), 'let b\u202E = 2;\nlet c;');
  });

  it('does not mark characters that languages need', async () => {
    const panel = await show('Voilà\u00A0! نمی\u200Cخواهم 👩🏽‍💻');
    assert.deepEqual(await marked(panel, '.markdown'), []);
  });

  it('shows hidden characters in reasoning, prompts, titles, lists, notices and tool cards', async () => {
    const panel = await webview.open();
    const evil = 'ok\u202Eevil\u{E0041}\u200B';
    const shown = 'ok<U+202E>evil<U+E0041><U+200B>';
    const failed = { kind: 'tool', id: 't', toolName: evil, state: 'failed', argumentsText: '', input: {} } as const;
    const session = view(
      [
        prompt(evil, [evil]),
        { kind: 'thinking', id: 'think', text: evil, isStreaming: false, startedMs: 0, endedMs: 0 },
        { ...failed, liveOutput: '', result: evil },
        { kind: 'notice', id: 'n', notice: { id: 'n', severity: 'info', message: evil, actions: [] } },
      ],
      { title: evil },
    );
    const stored = { id: 's2', title: evil, updatedMs: 0, isRunning: false, isForeign: false, hasFailed: false };
    const models = [{ id: evil, contextWindow: 1000 }];
    await panel.snapshot(session, { sessions: [stored], sessionCount: 1, models, selectedModel: evil });
    const text = (selector: string): Promise<string> => panel.page.locator(selector).first().innerText();
    await panel.page.locator('.thinking .disclosure').click();
    await panel.page.locator('.tool-head').click();
    const selectors = ['.prompt-text', '.context-labels li', '.thinking-text', '.tool-target', '.notice-body p'];
    for (const selector of [...selectors, '.session-title', '.model-picker']) {
      assert.equal((await text(selector)).trim(), shown, selector);
    }
    assert.equal(await text('.tool-details [aria-label=Result]'), shown);
    assert.equal(await panel.page.locator('.session-title').getAttribute('title'), shown);
    await panel.page.getByRole('button', { name: 'Past Sessions' }).click();
    assert.equal(await text('.session-row .session-title'), shown);
    for (const label of await panel.page.locator('.session-row [aria-label], .session-row [title]').all()) {
      const names = [await label.getAttribute('aria-label'), await label.getAttribute('title')];
      assert.doesNotMatch(names.join(' '), /\u202E/);
    }
  });

  it('shows hidden characters in inline code', async () => {
    const panel = await show('Run `rm\u202E -rf`.');
    assert.equal(await panel.page.locator('.markdown code').innerText(), 'rm<U+202E> -rf');
  });

  describe('does not let through', () => {
    const attacks: (readonly [name: string, text: string])[] = [
      ['a script', '<script>alert(1)</script>'],
      ['a script in a list', '- a\n\n  <script>alert(1)</script>'],
      ['an image with onerror', '<img src=x onerror=alert(1)>'],
      ['an image with a broken tag', '<img src=x onerror=alert(1)//'],
      ['a remote image', '![pixel](https://example.com/track.png?secret)'],
      ['an image in a link', '[![pixel](https://example.com/a.png)](javascript:alert(1))'],
      ['an svg with onload', '<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x></svg>'],
      ['a style element', '<style>body{display:none}</style>'],
      ['a style attribute', '<p style="position:fixed;inset:0">x</p>'],
      ['an iframe', '<iframe src="https://example.com"></iframe>'],
      ['an iframe with srcdoc', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
      ['a form', '<form action="https://example.com"><input name=a><button>go</button></form>'],
      ['an object and an embed', '<object data="https://example.com/x"></object><embed src="https://example.com/x">'],
      ['a base element', '<base href="https://example.com/">'],
      ['a meta refresh', '<meta http-equiv="refresh" content="0;url=https://example.com">'],
      ['a link element', '<link rel=stylesheet href=https://example.com/x.css>'],
      ['a javascript: link', '[click](javascript:alert(1))'],
      ['a javascript: link in disguise', '[click](&#106;avascript&colon;alert(1)) [click](java\tscript:alert(1))'],
      ['a javascript: autolink', '<javascript:alert(1)>'],
      ['a data: link', '[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)'],
      ['a vbscript: and a command: link', '[a](vbscript:x) [b](command:workbench.action.quit) [c](vscode://x)'],
      ['a quote that ends an attribute', '[click](https://example.com/"onmouseover="alert(1))'],
      ['a title that ends an attribute', '[click](https://example.com/ "\\" onmouseover=\\"alert(1)")'],
      ['a language that ends an attribute', '```js" onmouseover="alert(1)\nx\n```'],
      ['code that looks like HTML', '```html\n<img src=x onerror=alert(1)>\n```'],
      ['inline code that looks like HTML', '`<img src=x onerror=alert(1)>`'],
      ['a table cell', '| a |\n|---|\n| <img src=x onerror=alert(1)> |'],
      ['a math element', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>'],
      ['a template', '<template><script>alert(1)</script></template>'],
      ['our own attributes in HTML', '<a data-link="javascript:alert(1)" role="link">click</a>'],
      ['an event handler in a details element', '<details open ontoggle=alert(1)><summary>x</summary></details>'],
    ];
    for (const { id, note, input } of [
      safetySample('WV03'),
      safetySample('WV04'),
      safetySample('WV06'),
      safetySample('WV07'),
      safetySample('WV08'),
      safetySample('WV10'),
      safetySample('WV14'),
    ]) {
      attacks.push([`${id}: ${note}`, input]);
    }
    const allowed =
      'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em del a span table thead tbody tr th td div button';

    for (const [name, text] of attacks) {
      it(name, async () => {
        // The page fails the test on dialogs, foreign requests and violated policies.
        const panel = await show(`Before\n\n${text}\n\nafter`);
        const found = await panel.page.locator('.markdown').evaluate((root, names) => {
          const tags = new Set(names.split(' '));
          const elements = [...root.querySelectorAll('*')];
          return {
            elements: elements.filter((element) => !tags.has(element.localName)).map((element) => element.outerHTML),
            attributes: elements
              .flatMap((element) => [...element.attributes])
              .filter(({ name: attribute }) => /^(?:on|style$|src|href|action)/i.test(attribute))
              .map(({ name: attribute }) => attribute),
            links: elements
              .map((element) => element.getAttribute('data-link'))
              .filter((link) => link !== null && !/^(?:https?|mailto):/.test(link)),
          };
        }, allowed);
        assert.deepEqual(found, { elements: [], attributes: [], links: [] });
        assert.equal(await panel.page.locator('.markdown').getByRole('button', { name: 'Approve' }).count(), 0);
        for (const link of await panel.page.getByRole('link').all()) await link.click();
        const intents = await panel.intents();
        assert.deepEqual(
          intents.filter((intent) => intent.type !== 'openLink' || !intent.href.startsWith('https://example.com/')),
          [],
        );
      });
    }

    it('HTML in prompts, titles, notices, tool arguments and results', async () => {
      const panel = await webview.open();
      const evil = '<img src=x onerror=alert(1)>';
      await panel.snapshot(
        view(
          [
            prompt(evil, [evil]),
            {
              kind: 'tool',
              id: 't',
              toolName: evil,
              state: 'failed',
              argumentsText: '',
              input: { [evil]: evil },
              liveOutput: '',
              result: evil,
            },
            { kind: 'notice', id: 'n', notice: { id: 'n', severity: 'info', message: evil, actions: [] } },
          ],
          { title: evil },
        ),
      );
      await panel.page.locator('.tool-head').click();
      assert.equal(await panel.page.locator('img').count(), 0);
      assert.equal(await panel.page.locator('.prompt-text').innerText(), evil);
    });
  });

  it('shows raw HTML as text, so that nothing disappears', async () => {
    const panel = await show('Use a <div> here<br>and <b>there</b>.');
    assert.equal(await panel.page.locator('.markdown p').innerText(), 'Use a <div> here\nand <b>there</b>.');
  });

  it('keeps the blocks of a long answer when it grows', async () => {
    const panel = await webview.open();
    const text = `${markdownAnswer}\n\n`.repeat(60);
    await panel.snapshot(view([answer(text, { id: 'long', isStreaming: true })], { state: 'running' }));
    await panel.page.locator('.markdown:not(.markdown-plain)').waitFor();
    await panel.page
      .locator('.markdown-block')
      .first()
      .evaluate((element) => (element.dataset['mark'] = 'same'));
    await panel.snapshot(view([answer(`${text}more`, { id: 'long', isStreaming: true })], { state: 'running' }));
    assert.equal(await panel.page.locator('.markdown-block').first().getAttribute('data-mark'), 'same');
    assert.equal((await panel.page.locator('.markdown-block').last().textContent())?.trim(), 'more');
    assert.equal(sessionId, 'session-1');
  });
});
