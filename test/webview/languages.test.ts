import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from './support/accessibility';
import { overflowing } from './support/measure';
import { scenes } from './support/scenes';
import { useWebview } from './support/useWebview';

/** In CSS pixels: the narrowest side bar, VS Code's usual one, and an editor. */
const widths = [260, 300, 700];

describe('the panel in another language', function () {
  this.timeout(120_000);
  const webview = useWebview();

  for (const { name, session, panel: state, height = 800, act } of scenes) {
    it(`fits in German: ${name}`, async () => {
      const panel = await webview.open({ width: 300, height, language: 'de' });
      await panel.snapshot(session, state);
      await act?.(panel);
      const problems: string[] = [];
      for (const width of widths) {
        await panel.page.setViewportSize({ width, height });
        const found = [...(await overflowing(panel.page)), ...(await accessibilityProblems(panel.page))];
        problems.push(...found.map((problem) => `${width} pixels: ${problem}`));
        await panel.statePicture(`${name}-german-${width}`);
      }
      assert.deepEqual(problems, []);
    });

    it(`has no untranslated word: ${name}`, async () => {
      const panel = await webview.open({ height, language: 'marked' });
      await panel.snapshot(session, state);
      await act?.(panel);
      const known = new Set([...wordsIn(panel.received.join(' ')), ...notTranslated]);
      const texts = await textsOn(panel.page);
      const left = texts.filter((text) => wordsIn(text).some((word) => !known.has(word)));
      assert.deepEqual(left, []);
    });
  }

  it('gives numbers, dates and durations in German', async () => {
    const panel = await webview.open({ language: 'de' });
    const updatedMs = Date.UTC(2026, 2, 5, 12);
    const past = { id: 'a', title: 'Alt', updatedMs, isRunning: false, hasFailed: false, isForeign: false };
    const model = { id: 'qwen3-8b', contextWindow: 9_500 };
    await panel.snapshot(undefined, { sessions: [past], sessionCount: 1, models: [model] });
    await panel.page.getByRole('button', { name: 'Frühere Sitzungen' }).click();
    assert.equal(await panel.page.locator('.session-time').innerText(), '5. März 2026');
    await panel.page.locator('.model-picker button').click();
    assert.match(await panel.page.getByRole('menuitemradio', { name: 'qwen3-8b' }).innerText(), /9,5k/);
  });
});

/** Products, commands that start a server, names to type, and the name of many spaces in a row, which models read too. */
const notTranslated = wordsIn(
  `Open Agent VS Code Ollama LM Studio llama.cpp llama-server -hf ggml-org/Qwen3-8B-GGUF --jinja ollama run qwen3 lms server start
  @selection @problems @changes @terminal <300 spaces>`,
);

/** Latin words of at least two letters, also in JSON. Names of hidden characters such as `<U+200B>` are none. */
function wordsIn(text: string): readonly string[] {
  return [...text.replaceAll(/<U\+[0-9A-F]+>|\\u001b\[[\d;]*m|\\[nrt]/g, ' ').matchAll(/[A-Za-z]{2,}/g)].map(
    ([word]) => word,
  );
}

/** All that a person reads, hears or sees as a tooltip. Typed texts are no part of it. */
function textsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let before: { readonly box: Element | null; readonly text: string } = { box: null, text: '' };
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent?.closest('script, .katex, [data-math], textarea') !== null) continue;
      // An option of a command is several elements, which end within its word.
      const box = parent.closest('pre, code, .tool-target, .running-command');
      const begun = box !== null && box === before.box ? (/[A-Za-z]*$/.exec(before.text)?.[0] ?? '') : '';
      const text = begun + (node.nodeValue ?? '');
      texts.push(text);
      before = { box, text };
    }
    for (const element of document.querySelectorAll('*')) {
      for (const name of [
        'aria-label',
        'aria-description',
        'aria-valuetext',
        'title',
        'placeholder',
        'alt',
        'data-text',
      ])
        texts.push(element.getAttribute(name) ?? '');
    }
    return texts.filter((text) => text.trim() !== '');
  });
}
