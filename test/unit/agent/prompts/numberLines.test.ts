import assert from 'node:assert/strict';
import { numberLines } from '../../../../src/agent/prompts/numberLines';

describe('numberLines', () => {
  it('counts the lines of the new file in each hunk, and no removed line', () => {
    const diff =
      'rename from a\n@@ -1,3 +1,3 @@ f()\n a\n-b\n+c\n d\n\\ No newline at end of file\n@@ -9 +20,2 @@\n+x\n+y';
    const expected =
      'rename from a\n@@ -1,3 +1,3 @@ f()\n1  a\n-b\n2 +c\n3  d\n\\ No newline at end of file\n@@ -9 +20,2 @@\n20 +x\n21 +y';
    assert.equal(numberLines(diff), expected);
  });

  it('counts all lines of a new file, also those that look like a diff', () => {
    assert.equal(numberLines('New file:\na\n-b\n@@ -1 +5 @@'), 'New file:\n1 a\n2 -b\n3 @@ -1 +5 @@');
  });
});
