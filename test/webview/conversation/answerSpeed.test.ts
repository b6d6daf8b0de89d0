import assert from 'node:assert/strict';
import { accessibilityProblems } from '../support/accessibility';
import { answer, prompt, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';

describe('the speed of an answer', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('shows under the pointer and with the focus, and takes no room', async () => {
    const panel = await webview.open();
    const text = 'The total is a sum of fractions.';
    await panel.snapshot(view([prompt('Why?'), answer(text, { tokensPerSecond: 38.2, firstTokenMs: 1_240 })]));
    const speed = panel.page.locator('.answer-speed');
    const opacity = () => speed.evaluate((element) => getComputedStyle(element).opacity);
    assert.equal(await speed.getAttribute('data-text'), '38 tokens/s · first token after 1.2 s');
    assert.equal(await opacity(), '0');
    const height = () => panel.page.locator('.answer').evaluate((element) => element.clientHeight);
    const before = await height();
    await panel.page.locator('.answer p').first().hover();
    assert.equal(await opacity(), '1');
    // It covers none of the words that it is about.
    const box = await speed.boundingBox();
    const words = await panel.page.locator('.answer p').first().boundingBox();
    const leading = 4;
    assert.ok(box && words && box.y + box.height <= words.y + leading);
    await panel.page.getByLabel('Message to Open Agent').hover();
    assert.equal(await opacity(), '0');
    await panel.page.getByRole('button', { name: 'Go Back to Before This Message…' }).focus();
    await panel.page.keyboard.press('Tab');
    assert.equal(await speed.evaluate((element) => element === document.activeElement), true);
    assert.equal(await opacity(), '1');
    assert.equal(await height(), before);
    assert.deepEqual(await accessibilityProblems(panel.page), []);
    await panel.screenshot('answer-speed');
    await panel.setTheme('light');
    await panel.screenshot('answer-speed-light');
  });

  it('says only what is known, and nothing while the answer is written', async () => {
    const panel = await webview.open();
    await panel.snapshot(
      view([
        prompt('Go'),
        answer('One', { tokensPerSecond: 7.46 }),
        answer('Two', { firstTokenMs: 65_000 }),
        answer('Three', { firstTokenMs: 3 }),
        answer('Four', { isStreaming: true, firstTokenMs: 10 }),
      ]),
    );
    const said = panel.page.locator('.answer-speed');
    assert.deepEqual(await said.evaluateAll((all) => all.map((element) => element.getAttribute('aria-label'))), [
      'Speed: 7.5 tokens/s',
      'Speed: first token after 1 min 5 s',
      'Speed: first token after < 0.1 s',
    ]);
    assert.equal(await panel.page.locator('.answer').first().innerText(), 'One');
  });
});
