import assert from 'node:assert/strict';
import { answer, prompt, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';

const text = `# عنوان

هذه فقرة مع \`total()\` في وسطها.

This paragraph is English.

- \`cart.js\` هو الملف
- an English item
- بند
  - nested item

1. أول

   فقرة ثانية

| اسم | value |
|---|---|
| قيمة | 1 |

\`\`\`ts
// تعليق
const a = 1;
\`\`\`
`;

describe('texts that are read from right to left', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('have the direction of their words; code is read from left to right', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('مرحبا'), prompt('Hello'), answer(text)]));
    await panel.page.locator('.code-block').waitFor();
    const directions = (selector: string) =>
      panel.page
        .locator(selector)
        .evaluateAll((all) =>
          all.map(
            (element) =>
              `${(element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 7)}: ${getComputedStyle(element).direction}`,
          ),
        );
    assert.deepEqual(await directions('.prompt-text'), ['مرحبا: rtl', 'Hello: ltr']);
    assert.deepEqual(await directions('.markdown h1'), ['عنوان: rtl']);
    assert.deepEqual(await directions('.markdown-block > p'), ['هذه فقر: rtl', 'This pa: ltr']);
    assert.deepEqual(await directions('.markdown li'), [
      'cart.js: rtl',
      'an Engl: ltr',
      'بند nes: rtl',
      'nested : ltr',
      'أول فقر: rtl',
    ]);
    assert.deepEqual(await directions('.markdown li > p'), ['أول: rtl', 'فقرة ثا: rtl']);
    assert.deepEqual(await directions('.markdown :is(th, td)'), ['اسم: rtl', 'value: ltr', 'قيمة: rtl', '1: ltr']);
    assert.deepEqual(
      new Set((await directions('.markdown :is(code, pre)')).map((one) => one.slice(-3))),
      new Set(['ltr']),
    );
    await panel.screenshot('directions');
  });

  it('have the bullet beside their first word', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([answer('- بند\n- item')]));
    const gaps = await panel.page.locator('.markdown li').evaluateAll((all) =>
      all.map((item) => {
        const [outer, inner] = [item.parentElement?.getBoundingClientRect(), item.getBoundingClientRect()];
        return outer && [Math.round(inner.left - outer.left), Math.round(outer.right - inner.right)];
      }),
    );
    assert.deepEqual(gaps, [
      [0, 22],
      [22, 0],
    ]);
  });
});
