import assert from 'node:assert/strict';
import { readFindings } from '../../../../src/agent/review/readFindings';

describe('readFindings', () => {
  const read = (answer: string) =>
    readFindings(answer).map(({ path, line, endLine, text }) => `${path} ${line}-${endLine} ${text}`);

  it('reads the form that the prompt asks for, and ends a finding where other text begins', () => {
    const answer = ['`src/a.ts:12`: Runs once too often.', 'src/b.ts:20-22: No test.', '', 'All else is well.'].join(
      '\n',
    );
    assert.deepEqual(read(answer), ['src/a.ts 12-12 Runs once too often.', 'src/b.ts 20-22 No test.']);
  });

  for (const [name, answer, expected] of [
    [
      'a numbered list with text below',
      '1. **Off by one** (`src/a.ts:12`): too often.\n   Use <.\n\n2. **Eval** - src/b.ts, line 5',
      ['src/a.ts 12-12 Off by one: too often.\nUse <.', 'src/b.ts 5-5 Eval'],
    ],
    [
      'headings with paragraphs',
      '### src/a.ts:12\nThe loop.\n\nIt should stop.\n\n### Summary\nFine.',
      ['src/a.ts 12-12 The loop.\n\nIt should stop.'],
    ],
    [
      'lines below the name of a file',
      '## src/a.ts\n\n- Line 12: one\n- **L20-22** — two',
      ['src/a.ts 12-12 one', 'src/a.ts 20-22 two'],
    ],
    ['fields', '**File:** `src/a.ts`\n**Line:** 12\n**Problem:** one', ['src/a.ts 12-12 **Problem:** one']],
    [
      'a list in a list',
      '1. Off by one\n   - File: `src/a.ts`\n   - Line: 12\n   - Use <',
      ['src/a.ts 12-12 Off by one\n\n- Use <'.replace('\n\n', '\n')],
    ],
    ['a table', '| File | Line | Problem |\n|---|---|---|\n| src/a.ts | 12 | one |', ['src/a.ts 12-12 one']],
    ['links', '[src/a.ts:12](src/a.ts#L12) one', ['src/a.ts 12-12 one']],
    ['sentences', 'Line 3 of src/a.ts is wrong.', ['src/a.ts 3-3 Line 3 of src/a.ts is wrong.']],
    [
      'paths of Windows and of routes',
      '- src\\a.ts:3:14 one\n- `app/[id]/(x)/p.tsx:4` two',
      ['src/a.ts 3-3 one', 'app/[id]/(x)/p.tsx 4-4 two'],
    ],
    ['severities', '- [High] src/a.ts#L12: one', ['src/a.ts 12-12 [High]: one']],
  ] as const) {
    it(`reads ${name}`, () => assert.deepEqual(read(answer), expected));
  }

  it('reads no finding from code, addresses, times and plain words', () => {
    const answer = '```\nsrc/a.ts:3: in code\n```\nIt runs on http://localhost:8080/ since 12:30, see line 4.';
    assert.deepEqual(read(answer), []);
  });

  it('bounds the number and the length of findings', () => {
    const many = readFindings('- a.ts:1: x\n'.repeat(500));
    assert.equal(many.length, 50);
    const [long] = readFindings(`- a.ts:1: ${'x'.repeat(9_000)}`);
    assert.ok(long && long.text.length <= 1_501);
  });
});
