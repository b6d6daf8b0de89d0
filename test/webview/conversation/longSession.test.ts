import assert from 'node:assert/strict';
import { longSession } from '../../support/panel/longSession';
import { answer, editCard, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';
import type { ViewItem } from '../../../src/agent/view/sessionView';

const count = 10_000;
/** Of ten items three read one after the other, and fold into one line. */
const rowCount = 8_000;

describe('a conversation of 10,000 items', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const open = async (...last: readonly ViewItem[]): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(
      view([...longSession(count).items, ...last], { state: last.length > 0 ? 'waiting_for_approval' : 'idle' }),
    );
    await panel.page.locator('.item').first().waitFor();
    return panel;
  };
  const rows = (panel: WebviewPage): Promise<readonly number[]> =>
    panel.page.locator('.item').evaluateAll((all) => all.map((row) => Number(row.getAttribute('aria-posinset'))));
  /** Scrolls as the scroll bar does, and waits until rows are drawn. `part`: of the whole height; `pixels`: further. */
  const scroll = (panel: WebviewPage, part: number | undefined, pixels: number): Promise<void> =>
    panel.page.locator('.message-scroller').evaluate(
      async (element, to) => {
        element.dispatchEvent(new Event('pointerdown'));
        element.scrollTop = (to.part === undefined ? element.scrollTop : to.part * element.scrollHeight) + to.pixels;
        for (let frame = 0; frame < 4; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      },
      { part, pixels },
    );
  const scrollTo = (panel: WebviewPage, part: number): Promise<void> => scroll(panel, part, 0);
  const scrollBy = (panel: WebviewPage, pixels: number): Promise<void> => scroll(panel, undefined, pixels);
  /** The row across the middle of the list, and the distance of its top from the list's. */
  const middleRow = (panel: WebviewPage): Promise<readonly [string, number]> =>
    panel.page.locator('.message-scroller').evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const row = document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.item');
      return [row?.getAttribute('data-key') ?? 'no row', Math.round((row?.getBoundingClientRect().top ?? 0) - top)];
    });
  /** Scroll positions are whole pixels, and heights of rows are not: a place may be one pixel off. */
  const isAt = async (panel: WebviewPage, [row, top]: readonly [string, number]): Promise<boolean> => {
    const [middle, distance] = await middleRow(panel);
    return middle === row && Math.abs(distance - top) <= 1;
  };
  /** The key of a call in the visible part. */
  const visibleCall = (panel: WebviewPage): Promise<string> =>
    panel.page.locator('.item-tool').evaluateAll((all) => {
      const row = all.find((element) => element.getBoundingClientRect().top > innerHeight / 4);
      return row?.getAttribute('data-key') ?? 'no call';
    });
  const hasFocusInRows = (panel: WebviewPage): Promise<boolean> =>
    panel.page.evaluate(() => document.activeElement?.closest('.item') !== null);

  it('has a hundred rows on the page at most, wherever it is scrolled', async () => {
    const panel = await open();
    const last = await rows(panel);
    assert.equal(last.at(-1), rowCount);
    for (const part of [0, 0.3, 0.77, 1]) {
      await scrollTo(panel, part);
      const shown = await rows(panel);
      assert.ok(shown.length > 5 && shown.length <= 100, `${shown.length} rows at ${part}`);
      assert.notEqual((await middleRow(panel))[0], 'no row');
    }
    assert.equal(await panel.page.locator('.item').first().getAttribute('aria-setsize'), String(rowCount));
    assert.equal(await panel.page.locator('.row-gap[role=presentation]').count(), 2);
  });

  it('opens in steps: the field for messages first, then a few rows in each frame', async () => {
    const panel = await webview.open();
    await panel.page.evaluate(() => {
      const steps: [rows: number, hasField: boolean][] = [];
      Object.assign(window, { steps });
      new MutationObserver(() => {
        const rows = document.querySelectorAll('.item').length;
        const hasField = document.querySelector('textarea') !== null;
        if (rows !== (steps.at(-1)?.[0] ?? -1)) steps.push([rows, hasField]);
      }).observe(document.body, { subtree: true, childList: true });
    });
    await panel.snapshot(view([...longSession(count).items]));
    // Until rows fill the list.
    await panel.page.waitForFunction(() => (document.querySelector('.item')?.getBoundingClientRect().top ?? 1) < 0);
    const steps = await panel.page.evaluate(
      () => (window as unknown as { steps: [rows: number, hasField: boolean][] }).steps,
    );
    assert.deepEqual(steps[0], [0, true]);
    const added = steps.slice(1).map(([rows], index) => rows - (steps[index]?.[0] ?? 0));
    assert.ok(added.length > 1 && Math.max(...added) <= 8, `rows were added by ${added.join(', ')}`);
  });

  it('draws no row again for a keystroke', async () => {
    const panel = await open();
    // Rows are measured and code is coloured after they appear.
    await panel.page.evaluate(async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        await new Promise((resolve) => requestIdleCallback(resolve));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    await panel.page.locator('.message-scroller').evaluate((element) => {
      const counted = window as unknown as { changes: number };
      counted.changes = 0;
      const all = { subtree: true, childList: true, attributes: true, characterData: true };
      new MutationObserver((changes) => (counted.changes += changes.length)).observe(element, all);
    });
    const reads = await panel.page.evaluate(() => {
      const counted = window as unknown as { reads: number };
      counted.reads = 0;
      const measure = Element.prototype.getBoundingClientRect;
      Element.prototype.getBoundingClientRect = function () {
        counted.reads += 1;
        return measure.call(this);
      };
      return counted.reads;
    });
    await panel.page.getByLabel('Message to Open Agent').pressSequentially('Please fix the test');
    assert.deepEqual(
      await panel.page.evaluate(() => {
        const { changes, reads: now } = window as unknown as { changes: number; reads: number };
        return [changes, now];
      }),
      [0, reads],
    );
  });

  it('keeps its place while rows above it get their heights', async () => {
    const panel = await open();
    await scrollTo(panel, 0.5);
    const [row, top] = await middleRow(panel);
    await panel.page.locator('.message-scroller').hover();
    // Up and down again: the rows above are measured on the way.
    for (const delta of [-300, -300, -300, 300, 300, 300]) {
      await panel.page.mouse.wheel(0, delta);
      await panel.page.evaluate(async () => {
        for (let frame = 0; frame < 20; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      });
    }
    const place = panel.page.locator(`[data-key="${row}"]`);
    const { y = 0 } = (await place.boundingBox()) ?? {};
    const list = (await panel.page.locator('.message-scroller').boundingBox())?.y ?? 0;
    assert.ok(Math.abs(y - list - top) <= 2, `${row} was at ${top} and is at ${y - list}`);
  });

  it('keeps the focus when its row scrolls out of sight, and Tab goes on from there', async () => {
    const panel = await open();
    await scrollTo(panel, 0.5);
    const key = await visibleCall(panel);
    await panel.page.locator(`[data-key="${key}"] .tool-head`).focus();
    await scrollTo(panel, 0.9);
    assert.equal(
      await panel.page.evaluate(() => document.activeElement?.closest('.item')?.getAttribute('data-key')),
      key,
    );
    const before = Number(await panel.page.locator(`[data-key="${key}"]`).getAttribute('aria-posinset'));
    let at = before;
    for (let step = 0; step < 60; step += 1) {
      await panel.page.keyboard.press('Tab');
      assert.equal(await hasFocusInRows(panel), true, `Tab ${step} left the conversation`);
      const next = await panel.page.evaluate(() =>
        Number(document.activeElement?.closest('.item')?.getAttribute('aria-posinset')),
      );
      assert.ok(next === at || next === at + 1 || next === at + 2, `Tab went from row ${at} to row ${next}`);
      at = next;
    }
    assert.ok(at > before + 20);
    assert.ok((await rows(panel)).length <= 120);
  });

  it('has few rows on the page when the focus is in a question after a long chat without calls', async () => {
    const panel = await webview.open();
    const chat = Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? { ...prompt('Why?'), id: `why ${index}` } : answer('Because.', { id: `because ${index}` }),
    );
    await panel.snapshot(view([...chat, editCard], { state: 'waiting_for_approval' }));
    await panel.page.getByRole('button', { name: 'Accept', exact: true }).click();
    const shown = await rows(panel);
    assert.equal(shown.at(-1), count + 1);
    assert.ok(shown.length <= 150, `${shown.length} rows`);
  });

  it('keeps a selection over rows that scroll out of sight', async () => {
    const panel = await open();
    await scrollTo(panel, 0.5);
    const copied = () => panel.page.evaluate(() => document.getSelection()?.toString() ?? '');
    await panel.page.evaluate(() => {
      const shown = [...document.querySelectorAll('.item-text')];
      const [first, last] = [shown[0], shown.at(-1)];
      if (first && last) document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
    });
    const text = await copied();
    assert.ok(text.length > 100);
    await scrollTo(panel, 0.1);
    assert.equal(await copied(), text);
  });

  it('keeps an opened card open after it was out of sight', async () => {
    const panel = await open();
    await scrollTo(panel, 0.5);
    const key = await visibleCall(panel);
    await panel.page.locator(`[data-key="${key}"] .tool-head`).click();
    await panel.page.getByLabel('Message to Open Agent').focus();
    await scrollBy(panel, -4_000);
    const opened = panel.page.locator(`[data-key="${key}"] .tool-head`);
    assert.equal(await opened.count(), 0);
    for (let step = 0; step < 40 && (await opened.count()) === 0; step += 1) await scrollBy(panel, 300);
    assert.equal(await opened.getAttribute('aria-expanded'), 'true');
  });

  it('goes to a question anywhere in it, and the question stays where it appeared', async () => {
    const panel = await open(editCard, ...Array.from({ length: 500 }, (_, index) => prompt(`More ${index}`)));
    for (const from of [1, 0, 0.5]) {
      await scrollTo(panel, from);
      await panel.page.getByRole('button', { name: 'Show', exact: true }).click();
      // Its top in the list, in each of the next frames.
      const tops = await panel.page.locator('.message-scroller').evaluate(async (element) => {
        const found: number[] = [];
        for (let frame = 0; frame < 12; frame += 1) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const card = document.querySelector('.approval')?.closest('.item')?.getBoundingClientRect();
          const list = element.getBoundingClientRect();
          found.push(
            card === undefined || card.top > list.bottom || card.bottom < list.top ? NaN : card.top - list.top,
          );
        }
        return found;
      });
      const shown = tops.slice(2);
      assert.ok(
        shown.every((top) => Math.abs(top - (shown[0] ?? 0)) <= 1),
        `from ${from}: ${tops.join(', ')}`,
      );
    }
    await panel.page.getByRole('button', { name: 'Accept', exact: true }).click();
    assert.deepEqual(
      (await panel.intents()).map(({ type }) => type),
      ['approve'],
    );
  });

  it('follows an answer at its end, and returns to its place after a reload', async () => {
    const panel = await open();
    await panel.events(
      sessionId,
      { type: 'state_changed', state: 'running', ts: 0 },
      { type: 'agent', event: { type: 'step_start', step: 1 }, ts: 0 },
    );
    const distance = () =>
      panel.page
        .locator('.message-scroller')
        .evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop));
    for (let piece = 0; piece < 10; piece += 1) {
      const text = `Paragraph ${piece}.\n\n`.repeat(10);
      await panel.events(sessionId, { type: 'agent', event: { type: 'text_delta', block: 0, text }, ts: 0 });
      assert.equal(await distance(), 0);
    }
    await scrollTo(panel, 0.4);
    await panel.page.waitForFunction(
      () => (window as unknown as { savedState?: { isFollowing: boolean } }).savedState?.isFollowing === false,
    );
    const second = await webview.open({ savedState: await panel.savedState() });
    await second.snapshot(view(longSession(count).items));
    await second.page.getByRole('button', { name: 'Jump to Latest' }).waitFor();
    assert.ok(await isAt(second, await middleRow(panel)));
  });

  it('returns to its place after another session was on screen', async () => {
    const panel = await open();
    await scrollTo(panel, 0.4);
    const place = await middleRow(panel);
    await panel.snapshot(view(longSession(40).items, { sessionId: 'another' }));
    await panel.page.locator('[aria-setsize="32"]').first().waitFor();
    assert.ok(!(await isAt(panel, place)));
    await panel.snapshot(view(longSession(count).items));
    await panel.page.getByRole('button', { name: 'Jump to Latest' }).waitFor();
    assert.ok(await isAt(panel, place), `${place.join(' ')} is ${(await middleRow(panel)).join(' ')} now`);
  });
});
