import assert from 'node:assert/strict';
import { busySession } from './support/sessions';
import { useWebview } from './support/useWebview';

describe('the keyboard', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('reaches everything in the order of the page, with a visible focus', async () => {
    const panel = await webview.open({ height: 1600 });
    await panel.snapshot(busySession);
    await panel.page.locator('.hljs-keyword').first().waitFor();
    const walk: string[] = [];
    const invisible: string[] = [];
    for (let step = 0; step < 40; step += 1) {
      await panel.page.keyboard.press('Tab');
      const at = await panel.page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement) || element === document.body) return undefined;
        const style = getComputedStyle(element);
        const box = element.closest('.composer-box');
        const isBoxMarked = box !== null && getComputedStyle(box).borderColor === 'rgb(0, 120, 212)';
        return {
          name: element.getAttribute('aria-label') ?? element.textContent.trim(),
          hasOutline: (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || isBoxMarked,
        };
      });
      if (at === undefined) break;
      walk.push(at.name);
      if (!at.hasOutline) invisible.push(at.name);
    }
    assert.deepEqual(walk, [
      'Past Sessions',
      'New Session',
      'Conversation',
      'Fork from Here',
      'Thought for 4 s',
      'Read src/checkout/price.ts lines 1 to 40, Done',
      'Open File',
      'Search total( in src, Failed',
      'src/checkout/price.ts',
      'Copy Code',
      'Table',
      'Copy Code',
      'https://example.com/floating-point',
      'Edit src/checkout/price.ts +3 −1, Needs your approval',
      'Open File',
      'Proposed change',
      'Accept',
      'Reject',
      'More Answers',
      'Show',
      'Message to Open Agent',
      'Mode: Ask',
      'Model: qwen3-8b',
      '6.2k of 32k. The conversation has 6232 tokens, as the server counted. The model holds 32768, as the server says.',
      'Stop',
    ]);
    assert.deepEqual(invisible, []);
  });

  it('finds a name for every control', async () => {
    const panel = await webview.open();
    await panel.snapshot(busySession);
    await panel.page.locator('.code-block').first().waitFor();
    const nameless = await panel.page
      .locator('button, input, textarea, [tabindex]')
      .evaluateAll((elements) =>
        elements
          .filter((element) => (element.getAttribute('aria-label') ?? element.textContent).trim() === '')
          .map((element) => element.outerHTML),
      );
    assert.deepEqual(nameless, []);
  });
});
