import assert from 'node:assert/strict';
import type { ToolItem, ViewItem } from '../../../src/agent/view/sessionView';
import { stopClock } from '../support/answers';
import { editApproval, editCard, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

const names = ['a', 'b', 'c'] as const;

describe('a click on a question', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const asking = (id: string): ToolItem => ({
    ...editCard,
    id,
    approval: { ...editApproval, toolUseId: id, requestId: `request-${id}` },
  });
  const accepted = (id: string): ToolItem => ({ ...editCard, id, state: 'succeeded', approval: undefined, result: '' });
  const show = (panel: WebviewPage, ...cards: readonly ViewItem[]) =>
    panel.snapshot(view([prompt('Go'), ...cards], { state: 'waiting_for_approval' }));
  const card = ({ page }: WebviewPage, id: string) => page.locator(`[data-tool-use="${id}"]`);
  const accept = (panel: WebviewPage, id: string) =>
    card(panel, id).getByRole('button', { name: 'Accept', exact: true });
  async function middleOf(panel: WebviewPage, id: string) {
    const box = await accept(panel, id).boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  const approve = (id: string) => ({ type: 'approve', sessionId, requestId: `request-${id}` });

  /** Three edits, all in view, and a clock that stands still. */
  async function begin() {
    const panel = await webview.open({ height: 1200 });
    const moveOn = await stopClock(panel);
    await show(panel, ...names.map(asking));
    return { panel, moveOn };
  }

  it('does not answer a question that has just come under the pointer', async () => {
    const { panel, moveOn } = await begin();
    const before = await middleOf(panel, 'b');
    await show(panel, accepted('a'), asking('b'), asking('c'));
    const { x, y } = await middleOf(panel, 'b');
    assert.ok(y < before.y - 100, 'The card moves up when the one above is answered.');
    await panel.page.mouse.click(x, y);
    await moveOn(499);
    await panel.page.mouse.click(x, y);
    assert.deepEqual(await panel.intents(), []);
    assert.equal(await accept(panel, 'b').isEnabled(), false);
    await moveOn(1);
    await panel.page.mouse.click(x, y);
    assert.deepEqual(await panel.intents(), [approve('b')]);
    // The other card takes clicks again by itself.
    await accept(panel, 'c').click();
    assert.deepEqual((await panel.intents()).at(-1), approve('c'));
  });

  it('does not answer the question that comes while the button is pressed', async () => {
    const { panel, moveOn } = await begin();
    const { x, y } = await middleOf(panel, 'b');
    await panel.page.mouse.move(x, y);
    await panel.page.mouse.down();
    await show(panel, accepted('a'), asking('b'), asking('c'));
    await moveOn(500);
    await panel.page.mouse.up();
    assert.deepEqual(await panel.intents(), []);
  });

  it('does not answer the next question by the second half of a double click', async () => {
    const panel = await webview.open({ height: 1200 });
    await show(panel, asking('a'));
    const { x, y } = await middleOf(panel, 'a');
    await panel.page.mouse.move(x, y);
    await panel.page.mouse.down({ clickCount: 1 });
    await panel.page.mouse.up({ clickCount: 1 });
    // The next question takes the place of the first.
    await show(panel, asking('b'));
    assert.deepEqual(await middleOf(panel, 'b'), { x, y });
    await panel.page.mouse.down({ clickCount: 2 });
    await panel.page.mouse.up({ clickCount: 2 });
    assert.deepEqual(await panel.intents(), [approve('a')]);
    await panel.page.mouse.click(x, y);
    assert.deepEqual(await panel.intents(), [approve('a'), approve('b')]);
  });

  it('answers at once where the person has scrolled to it, by a key, and where nothing else waits', async () => {
    const { panel } = await begin();
    await panel.page.setViewportSize({ width: 420, height: 500 });
    await show(panel, accepted('a'), asking('b'), asking('c'));
    await accept(panel, 'b').focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [approve('b')]);

    const other = await webview.open({ height: 400 });
    await stopClock(other);
    await show(other, ...names.map(asking));
    const scroller = other.page.getByRole('region', { name: 'Conversation' });
    await scroller.hover();
    const bottom = await scroller.evaluate((element) => element.scrollTop);
    await other.page.mouse.wheel(0, -150);
    await other.page.waitForFunction(
      (top) => (document.querySelector('.message-scroller')?.scrollTop ?? top) < top - 100,
      bottom,
    );
    const isInView = async (id: string) => ((await accept(other, id).boundingBox())?.y ?? 0) > 40;
    const visible = (await isInView('b')) ? 'b' : 'c';
    await accept(other, visible).click();
    assert.deepEqual(await other.intents(), [approve(visible)]);

    const single = await webview.open();
    await stopClock(single);
    await show(single, asking('b'));
    await show(single, accepted('a'), asking('b'));
    await accept(single, 'b').click();
    assert.deepEqual(await single.intents(), [approve('b')]);
  });

  it('on "Accept All" answers the edits that waited when the button was pressed', async () => {
    const { panel } = await begin();
    await show(panel, asking('a'), asking('b'));
    const all = panel.page.getByRole('button', { name: 'Accept All', exact: true });
    await all.hover();
    await panel.page.mouse.down();
    await show(panel, asking('a'), asking('b'), asking('c'));
    await panel.page.mouse.up();
    assert.deepEqual(await panel.intents(), [
      { type: 'answerEdits', sessionId, requestIds: ['request-a', 'request-b'], isAccepted: true },
    ]);
  });
});
