import assert from 'node:assert/strict';
import { editedProposal, withoutByteOrderMark } from '../../../../src/host/diffPreview/editedProposal';

describe('editedProposal', () => {
  it('is nothing when nobody typed, whatever the editor makes of line ends and marks', () => {
    assert.equal(editedProposal('a\nb\n', 'a\nb\n'), undefined);
    assert.equal(editedProposal('a\r\nb\n', 'a\r\nb\r\n'), undefined);
    assert.equal(editedProposal('\uFEFFa\r\n', 'a\r\n'), undefined);
  });

  it('is what was typed, with the byte order mark the proposal had', () => {
    assert.equal(editedProposal('a\n', 'a!\n'), 'a!\n');
    assert.equal(editedProposal('\uFEFFa\r\n', 'a!\r\n'), '\uFEFFa!\r\n');
    assert.equal(editedProposal('a\n', ''), '');
  });

  it('notices an added or removed final newline', () => {
    assert.equal(editedProposal('a\n', 'a'), 'a');
    assert.equal(editedProposal('a', 'a\n'), 'a\n');
  });

  it('shows a text without its mark', () => {
    assert.equal(withoutByteOrderMark('\uFEFFa'), 'a');
    assert.equal(withoutByteOrderMark('a\uFEFF'), 'a\uFEFF');
  });
});
