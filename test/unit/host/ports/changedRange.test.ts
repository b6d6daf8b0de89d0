import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changedRange } from '../../../../src/host/ports/changedRange';

describe('the changed range of two texts', () => {
  it('is the smallest difference', () => {
    assert.deepEqual(changedRange('one two three', 'one 2 three'), { start: 4, end: 7, text: '2' });
    assert.deepEqual(changedRange('aa', 'aaa'), { start: 2, end: 2, text: 'a' });
    assert.deepEqual(changedRange('', 'new'), { start: 0, end: 0, text: 'new' });
    assert.deepEqual(changedRange('all', ''), { start: 0, end: 3, text: '' });
    assert.equal(changedRange('same', 'same'), undefined);
  });

  it('splits no CRLF and no surrogate pair', () => {
    assert.deepEqual(changedRange('a\r\nb', 'a\r\n\r\nb'), { start: 3, end: 3, text: '\r\n' });
    assert.deepEqual(changedRange('a\nb', 'a\r\nb'), { start: 1, end: 2, text: '\r\n' });
    assert.deepEqual(changedRange('😀', '😁'), { start: 0, end: 2, text: '😁' });
    assert.deepEqual(changedRange('😀', '🐀'), { start: 0, end: 2, text: '🐀' });
  });

  it('turns one text into the other and splits no character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n', '\r\n', '😀', '😁', '🐀'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = changedRange(before, after);
        if (!change) return before === after;
        const [head, tail] = [before.slice(0, change.start), before.slice(change.end)];
        const isWhole = [head, tail, change.text].every((part) => part.isWellFormed());
        const isCrlfSplit = [
          [head, before.slice(change.start)],
          [before.slice(0, change.end), tail],
        ].some(([left, right]) => left?.endsWith('\r') && right?.startsWith('\n'));
        return head + change.text + tail === after && isWhole && !isCrlfSplit;
      }),
    );
  });
});
