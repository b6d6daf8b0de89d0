import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/agent/view/sessionEvents';
import { codeMention, proseMentions } from '../../../src/webview/markdown/mentions';
import { answer, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

describe('files that answers name', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const asked = async (panel: WebviewPage): Promise<readonly (readonly string[])[]> => {
    const intents = await panel.allIntents();
    return intents.flatMap((intent) => (intent.type === 'findPlaces' ? [intent.names] : []));
  };
  const show = async (text: string): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(view([answer(text)]));
    await panel.page.locator('.markdown:not(.markdown-plain)').waitFor();
    return panel;
  };
  const found = (panel: WebviewPage, ...names: readonly string[]): Promise<void> =>
    panel.send({ type: 'places_found', places: names.map((name) => ({ name, path: `src/${name}` })) });
  const links = (panel: WebviewPage): Promise<readonly string[]> =>
    panel.page.getByRole('link').evaluateAll((all) => all.map(({ textContent }) => textContent));
  const agent = (text: string): SessionEvent => ({
    type: 'agent',
    event: { type: 'text_delta', block: 0, text },
    ts: 0,
  });

  it('become links when the host has found them, by mouse and keyboard', async () => {
    const panel = await show('See `cart.js`, `gone.js` and b/price.js:9.\n\n- **cart.js:12**\n- `cart.js`');
    await panel.intent('findPlaces');
    assert.deepEqual(await asked(panel), [['cart.js', 'gone.js', 'b/price.js']]);
    assert.deepEqual(await links(panel), []);

    await found(panel, 'cart.js', 'b/price.js');
    assert.deepEqual(await links(panel), ['cart.js', 'b/price.js:9', 'cart.js:12', 'cart.js']);
    await panel.page.getByRole('link', { name: 'cart.js', exact: true }).first().click();
    await panel.page.getByRole('link', { name: 'b/price.js:9' }).press('Enter');
    assert.equal(await panel.page.getByRole('link', { name: 'cart.js:12' }).getAttribute('title'), 'Open src/cart.js');
    assert.deepEqual(await panel.intents(), [
      { type: 'openFile', path: 'src/cart.js' },
      { type: 'openFile', path: 'src/b/price.js', line: 9 },
    ]);
    assert.equal(
      await panel.page.locator('.answer').innerText(),
      'See cart.js, gone.js and b/price.js:9.\n\ncart.js:12\ncart.js',
    );
  });

  it('are symbols too, which lead to their line', async () => {
    const panel = await show(
      'Call `applyDiscount(price)` or `Cart.total`, not `gone`, `true` or `a b`. In text applyDiscount.',
    );
    await panel.intent('findPlaces');
    assert.deepEqual(await asked(panel), [['applyDiscount', 'Cart.total', 'gone']]);
    await panel.send({ type: 'places_found', places: [] });
    assert.deepEqual(await links(panel), []);
    await panel.send({
      type: 'places_found',
      places: [
        { name: 'applyDiscount', path: 'src/cart.js', line: 9 },
        { name: 'Cart.total', path: 'src/cart.js', line: 20 },
      ],
    });
    assert.deepEqual(await links(panel), ['applyDiscount(price)', 'Cart.total']);
    const link = panel.page.getByRole('link', { name: 'applyDiscount(price)' });
    assert.equal(await link.getAttribute('title'), 'Open src/cart.js:9');
    await link.press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'openFile', path: 'src/cart.js', line: 9 }]);
  });

  it('are not marked inside links, addresses and blocks of code', async () => {
    const panel = await show(
      '[src/a.ts:1](https://example.com) <https://example.com/b.ts> `https://example.com/c.ts`\n\n```\nsrc/d.ts:1\n```',
    );
    assert.equal(await panel.page.locator('[data-mention]').count(), 0);
  });

  it('are asked for when their block is finished, and again when the run has ended', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([], { state: 'running' }));
    await panel.events(
      sessionId,
      { type: 'agent', event: { type: 'step_start', step: 1 }, ts: 0 },
      agent('I create src/ca'),
    );
    await panel.events(sessionId, agent('rt.js and src/price.js.'));
    assert.deepEqual(await asked(panel), []);
    await panel.events(sessionId, agent('\n\nThen I use src/cart.js.\n\nOne'));
    assert.deepEqual(await asked(panel), [['src/cart.js', 'src/price.js']]);
    await found(panel, 'src/price.js');
    const paragraph = panel.page.locator('.markdown-block p').first();
    await paragraph.evaluate((element) => (element.dataset['mark'] = 'same'));

    await panel.events(sessionId, { type: 'state_changed', state: 'idle', ts: 0 });
    assert.deepEqual((await asked(panel)).slice(1), [['src/cart.js']]);
    await found(panel, 'src/cart.js');
    assert.deepEqual(await links(panel), ['src/cart.js', 'src/price.js', 'src/cart.js']);
    assert.equal(await paragraph.getAttribute('data-mark'), 'same');
  });

  it('are asked for in messages of 100 names', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `src/f${index}.ts`);
    const panel = await show(names.map((name) => `\`${name}\``).join(' '));
    await panel.page.waitForFunction(
      () =>
        (window as unknown as { intents: { type: string }[] }).intents.filter(({ type }) => type === 'findPlaces')
          .length === 2,
    );
    assert.deepEqual((await asked(panel)).flat(), names);
  });

  it('are links at once where the session has them already', async () => {
    const panel = await show('`cart.js`');
    await panel.intent('findPlaces');
    await found(panel, 'cart.js');
    await panel.events(
      sessionId,
      { type: 'agent', event: { type: 'step_start', step: 1 }, ts: 0 },
      agent('`cart.js:3` again.\n\nOne'),
    );
    assert.deepEqual(await links(panel), ['cart.js', 'cart.js:3']);
    assert.equal((await asked(panel)).length, 1);
  });
});

describe('the names of files in texts', () => {
  const inCode = (code: string): string => {
    const mention = codeMention(code);
    return mention ? `${mention.path} ${mention.line ?? '-'}` : '';
  };

  it('are paths in inline code, with or without a line', () => {
    const codes = [
      'src/a.ts:12',
      'src/a.ts',
      'a.ts:3:7',
      'a.ts',
      'src/host/',
      'app/[id]/page.tsx',
      'src/a.ts#L4-L9',
      'größe/maß.ts',
    ];
    assert.deepEqual(codes.map(inCode), [
      ...[
        'src/a.ts 12',
        'src/a.ts -',
        'a.ts 3',
        'a.ts -',
        'src/host/ -',
        'app/[id]/page.tsx -',
        'src/a.ts 4',
        'größe/maß.ts -',
      ],
    ]);
    const others = [
      'npm test',
      'localhost:8080',
      'x:1',
      'total()',
      'https://a.com/b.ts',
      '//a/b.ts',
      '~/a.ts',
      '../',
      'a\\b.ts',
      'a',
    ];
    assert.deepEqual(others.map(inCode), Array(others.length).fill(''));
  });

  it('are paths with a folder or a line in ordinary text', () => {
    const inText = (text: string) =>
      proseMentions(text).map(({ path, line, start, end }) => [text.slice(start, end), path, line]);
    assert.deepEqual(
      inText('See (src/a.ts:9), b.ts:3. Then lib/c.test.ts! Node.js and/or e.g. 10:30 h https://x.io/a.ts:1'),
      [
        ['src/a.ts:9', 'src/a.ts', 9],
        ['b.ts:3', 'b.ts', 3],
        ['lib/c.test.ts', 'lib/c.test.ts', undefined],
      ],
    );
  });
});
