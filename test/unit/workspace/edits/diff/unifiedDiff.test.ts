import assert from 'node:assert/strict';
import { applyPatch, structuredPatch } from 'diff';
import fc from 'fast-check';
import { inStyleOf, lineEndOf } from '../../../../../src/workspace/edits/lineEnds';
import { unifiedDiff } from '../../../../../src/workspace/edits/diff/unifiedDiff';

describe('unifiedDiff', () => {
  it('shows hunks with their context and counts lines', () => {
    assert.deepEqual(unifiedDiff('a\nb\nc\nd\ne\n', 'a\nb\nC\nC2\nd\ne\n', { contextLines: 1 }), {
      text: '@@ -2,3 +2,4 @@\n b\n-c\n+C\n+C2\n d',
      addedLines: 2,
      removedLines: 1,
      unshownLines: 0,
    });
  });

  it('shows a new file as added', () => {
    assert.deepEqual(unifiedDiff(null, 'a\nb\n'), {
      text: '@@ -0,0 +1,2 @@\n+a\n+b',
      addedLines: 2,
      removedLines: 0,
      unshownLines: 0,
    });
  });

  it('shows a different final newline, but no returns', () => {
    assert.equal(unifiedDiff('a\r\nb', 'a\r\nb\r\n').text, '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b');
  });

  it('is empty for equal texts', () => {
    assert.deepEqual(unifiedDiff('a\n', 'a\n'), { text: '', addedLines: 0, removedLines: 0, unshownLines: 0 });
  });

  it('cuts the lines, but not the counts', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `${index}\n`).join('');
    assert.deepEqual(unifiedDiff(null, lines, { maxLines: 3 }), {
      text: '@@ -0,0 +1,50 @@\n+0\n+1\n[48 more lines of this diff are not shown]',
      addedLines: 50,
      removedLines: 0,
      unshownLines: 48,
    });
  });

  it('turns any text into any other with as few lines as a comparison of the whole', () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }), fc.boolean())
      .map(([lines, endsLine]) => `${lines.join('\n')}${endsLine && lines.length > 0 ? '\n' : ''}`);
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 3 }), (before, after, contextLines) => {
        const diff = unifiedDiff(before, after, { contextLines });
        const patched = applyPatch(before, `--- a\n+++ b\n${diff.text}\n`);
        if (diff.text !== '') assert.equal(patched, after, diff.text);
        else assert.equal(before, after);
        const whole = structuredPatch('', '', before, after, undefined, undefined, { context: contextLines });
        const changes = whole.hunks.flatMap(({ lines }) => lines).filter((line) => /^[+-]/.test(line));
        assert.equal(diff.addedLines + diff.removedLines, changes.length);
      }),
      { numRuns: 3000 },
    );
  });

  it('ends in time for two big texts without common lines', () => {
    const text = (word: string): string => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('');
    const diff = unifiedDiff(text('old'), text('new'), { maxLines: 2 });
    assert.deepEqual(
      { ...diff, text: '' },
      { text: '', addedLines: 20_000, removedLines: 20_000, unshownLines: 39_999 },
    );
  });
});

describe('line ends', () => {
  it('are those of most lines', () => {
    assert.deepEqual(
      [lineEndOf('a'), lineEndOf('a\nb'), lineEndOf('a\r\nb'), lineEndOf('a\r\nb\r\nc\nd')],
      [undefined, '\n', '\r\n', '\r\n'],
    );
  });

  it('and a byte order mark are copied from the replaced file', () => {
    assert.equal(inStyleOf('\uFEFFa\r\n', 'x\ny\n'), '\uFEFFx\r\ny\r\n');
    assert.equal(inStyleOf('a\n', 'x\r\ny\r\n'), 'x\ny\n');
    assert.equal(inStyleOf('', 'x\r\ny'), 'x\r\ny');
  });
});
