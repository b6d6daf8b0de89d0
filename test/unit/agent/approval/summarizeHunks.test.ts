import assert from 'node:assert/strict';
import { summarizeHunks } from '../../../../src/agent/approval/summarizeHunks';
import type { EditPlan } from '../../../../src/workspace/plans';

const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

function plan(before: string | null, after: string): EditPlan {
  const target = { path: '/w/a.ts', realPath: '/w/a.ts', displayPath: 'a.ts', pathInRoot: 'a.ts', exists: true };
  return { kind: 'edit', operation: 'edit', target, before, after, proposed: after };
}

describe('the hunks of an edit on its card', () => {
  it('are each shown with the lines around them', () => {
    const before = lines('1', '2', '3', '4', '5', '6', '7', '8');
    const after = lines('1', '2', 'three', '4', '5', '6', 'new', '7', '8');
    assert.deepEqual(summarizeHunks(plan(before, after)), {
      hunks: [
        { diff: '@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+three\n 4\n 5', state: 'open' },
        { diff: '@@ -5,4 +5,5 @@\n 5\n 6\n+new\n 7\n 8', state: 'open' },
      ],
      unshownLines: 0,
    });
  });

  it('are none of an edit that is one change, of a new file, or of too many', () => {
    assert.deepEqual(summarizeHunks(plan('a\n', 'b\n')), undefined);
    assert.deepEqual(summarizeHunks(plan(null, lines('a', 'b', 'c'))), undefined);
    const many = Array.from({ length: 400 }, (_, line) => `line ${line}`);
    const changed = many.map((text, line) => (line % 5 === 0 ? `${text}!` : text));
    assert.deepEqual(summarizeHunks(plan(lines(...many), lines(...changed))), undefined);
  });

  it('are cut where they are long', () => {
    const many = Array.from({ length: 500 }, (_, line) => `line ${line}`);
    const { hunks, unshownLines } =
      summarizeHunks(plan(lines('a', '1', '2', '3', 'b'), lines(...many, '1', '2', '3', 'B'))) ?? assert.fail();
    assert.equal(unshownLines, 303);
    assert.deepEqual(
      hunks.map(({ diff }) => diff.split('\n').at(-1)),
      ['[303 more lines of this change are not shown]', '+B'],
    );
  });
});
