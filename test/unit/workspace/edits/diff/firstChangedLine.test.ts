import assert from 'node:assert/strict';
import { firstChangedLine } from '../../../../../src/workspace/edits/diff/firstChangedLine';

describe('the first changed line', () => {
  it('is counted in the new text', () => {
    assert.equal(firstChangedLine('a\nb\nc\n', 'a\nB\nc\n'), 2);
    assert.equal(firstChangedLine('a\nb\n', 'a\nb\nc\n'), 3);
    assert.equal(firstChangedLine('a\r\nb\r\n', 'a\r\nc\r\n'), 2);
    assert.equal(firstChangedLine('x\na\n', 'a\n'), 1);
  });

  it('is the first of a new file', () => assert.equal(firstChangedLine(null, 'a\nb\n'), 1));
});
