import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replaceLines } from '../../../../src/workspace/edits/replaceLines';

describe('replacing lines of a text', () => {
  it('keeps the line ends, the byte order mark and a missing line end', () => {
    assert.equal(replaceLines('\uFEFFa\r\nb\r\nc', { start: 0, end: 1 }, 'x\ny\nz'), '\uFEFFx\r\ny\r\nz\r\nc');
    assert.equal(replaceLines('a\nb\nc', { start: 2, end: 2 }, 'x\ny'), 'a\nb\nx\ny');
    assert.equal(replaceLines('a\nb\n', { start: 1, end: 1 }, 'x'), 'a\nx\n');
    assert.equal(replaceLines('', { start: 0, end: 0 }, 'x'), 'x');
  });

  it('removes lines for an empty text', () => {
    assert.equal(replaceLines('a\nb\nc\n', { start: 1, end: 1 }, ''), 'a\nc\n');
    assert.equal(replaceLines('a\nb', { start: 1, end: 1 }, ''), 'a');
  });

  it('keeps the old lines that a growing text has not reached', () => {
    assert.equal(replaceLines('a\nb\nc\nd\n', { start: 1, end: 2 }, 'x', { keepsRest: true }), 'a\nx\nc\nd\n');
    assert.equal(replaceLines('a\nb\nd\n', { start: 1, end: 1 }, 'x\ny', { keepsRest: true }), 'a\nx\ny\nd\n');
  });

  const line = fc.string({ maxLength: 5 }).map((text) => text.replaceAll(/[\r\n\uFEFF]/g, ' '));
  const lines = fc.array(line, { minLength: 1, maxLength: 8 });

  it('changes no other line, and gives the text back when the lines are the same', () => {
    const ends = { lineEnd: fc.constantFrom('\n', '\r\n'), hasEnd: fc.boolean(), mark: fc.constantFrom('', '\uFEFF') };
    fc.assert(
      fc.property(fc.record({ lines, written: lines, at: fc.nat(), count: fc.nat(), ...ends }), (the) => {
        const start = the.at % the.lines.length;
        const end = start + (the.count % (the.lines.length - start));
        // A text that ends with an empty line and has no line end is a text with one.
        fc.pre(the.hasEnd || (the.lines.at(-1) !== '' && the.written.at(-1) !== '' && the.lines.length > 1));
        const textOf = (all: readonly string[]) => the.mark + all.join(the.lineEnd) + (the.hasEnd ? the.lineEnd : '');
        const place = { start, end };
        const expected = [...the.lines.slice(0, start), ...the.written, ...the.lines.slice(end + 1)];
        fc.pre(the.written.join('') !== '' && (expected.length > 1 || the.hasEnd));
        const text = textOf(the.lines);
        assert.equal(replaceLines(text, place, the.written.join('\n')), textOf(expected));
        const same = the.lines.slice(start, end + 1).join('\n');
        if (same !== '') assert.equal(replaceLines(text, place, same), text);
      }),
    );
  });
});
