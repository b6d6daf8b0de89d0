import assert from 'node:assert/strict';
import { editedProposal, withoutByteOrderMark } from '../../../../src/host/diffPreview/editedProposal';

describe('editedProposal', () => {
  const edited = (after: string, shown: string, before: string | null = null) =>
    editedProposal({ before, after }, shown);

  it('is undefined when nobody typed, even if line ends and byte order mark differ', () => {
    assert.equal(edited('a\nb\n', 'a\nb\n'), undefined);
    assert.equal(edited('a\r\nb\n', 'a\r\nb\r\n'), undefined);
    assert.equal(edited('\uFEFFa\r\n', 'a\r\n'), undefined);
  });

  it("is the typed text with the proposal's byte order mark", () => {
    assert.equal(edited('a\n', 'a!\n'), 'a!\n');
    assert.equal(edited('\uFEFFa\r\n', 'a!\r\n'), '\uFEFFa!\r\n');
    assert.equal(edited('a\n', ''), '');
    assert.equal(edited('\uFEFFa\n', ''), '\uFEFF');
  });

  it('notices an added or removed final newline', () => {
    assert.equal(edited('a\n', 'a'), 'a');
    assert.equal(edited('a', 'a\n'), 'a\n');
  });

  it('keeps the line ends of untouched lines, also in rejected hunks', () => {
    const before = '\uFEFFone\ntwo\r\nthree\nfour\nfive\nsix\r\n';
    const after = '\uFEFFONE\ntwo\r\nthree\nfour\nfive\nSIX\r\n';
    assert.equal(
      edited(after, 'one\ntwo\nthree\nfour\nfive\nSIX\n', before),
      '\uFEFFone\ntwo\r\nthree\nfour\nfive\nSIX\r\n',
    );
    assert.equal(
      edited(after, 'ONE\ntwo\nthree!\nfour\nfive\nsix\n', before),
      '\uFEFFONE\ntwo\r\nthree!\nfour\nfive\nsix\r\n',
    );
  });

  it('removes the byte order mark', () => {
    assert.equal(withoutByteOrderMark('\uFEFFa'), 'a');
    assert.equal(withoutByteOrderMark('a\uFEFF'), 'a\uFEFF');
  });
});
