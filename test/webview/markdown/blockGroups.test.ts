import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimatedHeight, groupsOf, type BlockGroup } from '../../../src/webview/markdown/blockGroups';
import type { MarkdownBlock } from '../../../src/webview/markdown/markdownBlock';
import { sessionId } from '../support/sessions';
import { useWebview } from '../support/useWebview';

const block = (raw: string, isPlain = false): MarkdownBlock => ({ raw, context: '', tokens: isPlain ? undefined : [] });
const anyBlock = fc
  .record({ length: fc.integer({ min: 0, max: 9_000 }), isPlain: fc.boolean() })
  .map(({ length, isPlain }) => block('x'.repeat(length), isPlain));

describe('the groups of blocks of an answer', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('hold every block once, and stay the same objects while the answer grows', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 90 }), (blocks) => {
        let before: readonly BlockGroup[] = [];
        for (let count = 0; count <= blocks.length; count += 1) {
          const now = groupsOf(blocks.slice(0, count), before);
          assert.deepEqual(
            now.flatMap((group) => group.blocks),
            blocks.slice(0, count),
          );
          // Only the group at the end may change, and be followed by one more.
          const kept = before.slice(0, -1);
          assert.ok(kept.every((group, index) => group === now[index]));
          assert.ok(now.length <= before.length + 1);
          assert.deepEqual(
            now.map(({ isComplete }) => isComplete),
            now.map((_, index) => index < now.length - 1),
          );
          before = now;
        }
        assert.deepEqual(groupsOf(blocks, []), before);
        assert.ok(before.every(({ blocks: { length } }) => length <= 20));
      }),
      { numRuns: 50 },
    );
  });

  it('tell a text that goes on from one that begins', () => {
    const long = 'x'.repeat(9_000);
    const groups = groupsOf([block(long), block(long, true), block(long, true), block(long)], []);
    assert.deepEqual(
      groups.map(({ continuesPlain }) => continuesPlain),
      [false, false, true, false],
    );
  });

  it('estimate a height that grows with the lines', () => {
    const height = (raw: string): number =>
      estimatedHeight({ blocks: [block(raw)], isComplete: true, continuesPlain: false });
    assert.ok(height('a\nb\nc') > height('a\nb'));
    assert.ok(height('x'.repeat(600)) >= 10 * 19);
  });

  it('take little more than one layout for a piece of a long answer, and none for what is complete', async () => {
    const panel = await webview.open();
    const session = { sessionId, title: 'A long answer', state: 'running', items: [] } as const;
    await panel.snapshot(session, { activeSessionId: sessionId });
    const send = (text: string): Promise<void> =>
      panel.events(
        sessionId,
        { type: 'agent', event: { type: 'step_start', step: 1 }, ts: 0 },
        { type: 'agent', event: { type: 'text_delta', block: 0, text }, ts: 0 },
      );
    await send('The first paragraph.\n\n');
    await panel.page.locator('.markdown-block').first().waitFor();
    const devtools = await panel.page.context().newCDPSession(panel.page);
    await devtools.send('Performance.enable');
    const layouts = async (): Promise<number> => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN;
    };
    const pieces = 60;
    const before = await layouts();
    for (let index = 0; index < pieces; index += 1) {
      await panel.events(sessionId, {
        type: 'agent',
        event: {
          type: 'text_delta',
          block: 0,
          text: `${`A paragraph of piece ${index} with \`code\`.\n\n`.repeat(4)}`,
        },
        ts: 0,
      });
      // Pieces that come faster are drawn together.
      await panel.page.locator(`.markdown-block:has-text("piece ${index} ")`).nth(3).waitFor();
    }
    const each = ((await layouts()) - before) / pieces;
    assert.ok(each >= 1 && each < 1.8, `${each} layouts a piece`);
    const groups = panel.page.locator('.markdown-group');
    assert.equal(await groups.count(), Math.ceil((1 + pieces * 4) / 20));
    const shown = await groups.evaluateAll((all) => all.map((group) => getComputedStyle(group).contentVisibility));
    assert.equal(shown.at(-1), 'visible');
    assert.ok(
      shown.slice(0, -1).every((value) => value === 'auto'),
      shown.join(),
    );
  });
});
