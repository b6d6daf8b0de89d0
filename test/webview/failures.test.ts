import assert from 'node:assert/strict';
import type { ViewItem } from '../../src/agent/view/sessionView';
import { hostileMarkdown, unevenNesting } from '../support/markdown/nestedMarkdown';
import { answer, commandCard, editCard, prompt, sessionId, view } from './support/sessions';
import { useWebview } from './support/useWebview';
import type { WebviewPage } from './support/webviewPage';

describe('a part of the panel that cannot be drawn', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const session = (...items: readonly ViewItem[]) =>
    view([prompt('Go on'), ...items], { state: 'waiting_for_approval' });

  /** Clicks Stop and the card's first button, and returns the intents since the last call. */
  const stopAndAccept = async (panel: WebviewPage, seen: number) => {
    await panel.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await panel.page.getByRole('button', { name: 'Accept', exact: true }).click();
    return (await panel.intents()).slice(seen);
  };
  const stopped = { type: 'stop', sessionId };
  const accepted = { type: 'approve', sessionId, requestId: 'request-edit' };

  it('leaves Stop and the approvals usable after every hostile answer, also after a reload', async () => {
    const panel = await webview.open();
    let seen = 0;
    for (const [name, text] of Object.entries(hostileMarkdown)) {
      // A snapshot is what a reloaded page gets.
      await panel.snapshot(session(answer(text, { id: name }), editCard));
      await panel.page.locator('.answer .markdown-block').first().waitFor();
      assert.deepEqual(await stopAndAccept(panel, seen), [stopped, accepted], name);
      assert.match((await panel.page.locator('.answer').innerText()).slice(0, 1_000_000), /X/, name);
      seen += 2;
    }
  });

  it('draws a hostile answer that arrives in pieces', async () => {
    const panel = await webview.open();
    const text = hostileMarkdown['mixed quotes and lists'] ?? '';
    for (const length of [10, 200, 1_000, 3_000, text.length]) {
      await panel.snapshot(session(answer(text.slice(0, length), { id: 'growing', isStreaming: true }), editCard));
    }
    assert.deepEqual(await stopAndAccept(panel, 0), [stopped, accepted]);
    assert.ok((await panel.page.locator('.answer blockquote').count()) > 3);
    await panel.screenshot('nested-markdown');
  });

  it('leaves room for the text of deeply nested Markdown in a narrow panel', async () => {
    const panel = await webview.open({ width: 280 });
    await panel.snapshot(session(answer(unevenNesting())));
    const text = panel.page.locator('.answer .markdown-plain').last();
    await text.getByText('X').waitFor();
    const box = await text.boundingBox();
    assert.ok(box !== null && box.width > 100 && box.x + box.width <= 280, JSON.stringify(box));
    await panel.screenshot('nested-markdown-narrow');
  });

  it('shows a block as plain text when the sanitiser fails', async () => {
    const panel = await webview.open();
    await panel.page.evaluate(() => {
      const next = NodeIterator.prototype.nextNode;
      NodeIterator.prototype.nextNode = function () {
        if ((this.root.textContent ?? '').includes('broken')) throw new RangeError('Maximum call stack size exceeded');
        return next.call(this);
      };
    });
    await panel.snapshot(session(answer('*whole*\n\nThis is *broken*.\n\n**whole too**'), editCard));
    await panel.page.locator('.answer em').waitFor();
    assert.deepEqual(await panel.page.locator('.answer .markdown-block').allInnerTexts(), [
      'whole',
      'This is *broken*.',
      'whole too',
    ]);
  });

  it('shows the text of a message that fails, and every other message', async () => {
    const panel = await webview.open();
    await panel.page.evaluate(() => {
      const fails = (node: unknown) =>
        node instanceof Element && /fails/.test(node.querySelector('em')?.textContent ?? '');
      const prototypes = [Node.prototype, Element.prototype, DocumentFragment.prototype] as unknown[];
      for (const prototype of prototypes as Record<string, (this: Node, ...nodes: unknown[]) => unknown>[]) {
        // Whatever way the panel takes to put the drawn message into the page. The sanitiser has a document of its own.
        for (const name of ['appendChild', 'insertBefore', 'append', 'prepend', 'replaceChildren', 'replaceWith']) {
          if (!Object.hasOwn(prototype, name)) continue;
          const insert = prototype[name];
          prototype[name] = function (this: Node, ...nodes) {
            if (document.contains(this) && nodes.some(fails)) throw new Error('This cannot be drawn.');
            return insert?.apply(this, nodes);
          };
        }
      }
    });
    await panel.snapshot(session(answer('It works.'), answer('This *fails*.'), editCard));
    await panel.page.getByText('This message could not be shown.').waitFor();
    assert.equal(await panel.page.locator('.failed-text').innerText(), 'This *fails*.');
    assert.equal(await panel.page.getByText('It works.').count(), 1);
    assert.deepEqual(await stopAndAccept(panel, 0), [stopped, accepted]);
    await panel.screenshot('failed-message');
  });

  const unknown = { kind: 'from the future' } as unknown as NonNullable<typeof editCard.approval>;

  it('lets a person deny a call that cannot be drawn, and not run it', async () => {
    const panel = await webview.open();
    const broken = { ...commandCard, approval: { ...unknown, requestId: 'request-x' } } as ViewItem;
    await panel.snapshot(session(broken));
    await panel.page.getByText('Because you cannot see it, you can only deny it here.').waitFor();
    assert.deepEqual(await panel.page.locator('.drawing-failure button').allInnerTexts(), ['Retry', 'Deny']);
    await panel.page.getByRole('button', { name: 'Deny' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'deny', sessionId, requestId: 'request-x' }]);
  });

  it('offers the diff of an edit that cannot be drawn', async () => {
    const panel = await webview.open();
    const broken = { ...editCard, approval: { ...editCard.approval, diff: 5 } } as unknown as ViewItem;
    await panel.snapshot(session(broken));
    await panel.page.getByRole('button', { name: 'Open Diff' }).click();
    assert.equal(await panel.page.getByRole('button', { name: 'Accept', exact: true }).count(), 0);
    await panel.page.getByRole('button', { name: 'Reject' }).click();
    assert.deepEqual(
      (await panel.intents()).map(({ type }) => type),
      ['openDiff', 'deny'],
    );
  });

  it('keeps the open questions when the conversation as a whole fails', async () => {
    const panel = await webview.open();
    await panel.page.evaluate(() => {
      window.ResizeObserver = class {
        constructor() {
          throw new Error('This cannot be observed.');
        }
      } as unknown as typeof ResizeObserver;
    });
    await panel.snapshot(session(answer('Hi'), editCard));
    await panel.page.getByText('The conversation could not be shown.').waitFor();
    assert.deepEqual(await stopAndAccept(panel, 0), [stopped, accepted]);
  });

  it('offers Stop when the field for messages fails, and draws it again on request', async () => {
    const panel = await webview.open();
    await panel.snapshot(session(editCard), { agent: null } as object);
    await panel.page.getByText('The field for messages could not be shown.').waitFor();
    await panel.page.getByRole('button', { name: 'Stop the Agent' }).first().click();
    assert.deepEqual(await panel.intents(), [stopped]);
    await panel.snapshot(session(editCard));
    await panel.page.getByRole('button', { name: 'Retry' }).last().click();
    await panel.page.getByRole('textbox', { name: 'Message to Open Agent' }).waitFor();
  });
});
