import assert from 'node:assert/strict';
import { describeDecision } from '../../../../../src/workspace/edits/diff/describeDecision';

const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
const proposed = lines('a', 'B', 'c', 'd', 'e', 'f', '', '  "new"', 'newer', 'g', 'h', 'i');

describe('describeDecision', () => {
  it('says nothing if the proposal was applied unchanged', () => {
    assert.equal(describeDecision(before, proposed, proposed), undefined);
  });

  it('names the rejected hunk, its place now and its first words', () => {
    const applied = lines('a', 'B', 'c', 'd', 'e', 'f', 'g', 'h', 'i');
    assert.equal(
      describeDecision(before, proposed, applied),
      String.raw`Rejected by the user and not applied: hunk 2 (after line 6, "\"new\"") of 3.`,
    );
  });

  it('names several hunks, and shows typed text as a change of the rest', () => {
    const applied = lines('a', 'b', 'c', 'd typed', 'e', 'f', '', '  "new"', 'newer', 'g', 'h', 'i', 'j');
    assert.equal(
      describeDecision(before, proposed, applied),
      [
        'Rejected by the user and not applied: hunks 1 (line 2, "B"), 3 (line 13, "j") of 3. The user also changed the rest of your proposal. The difference to the applied text:',
        '@@ -3,3 +3,3 @@',
        ' c',
        '-d',
        '+d typed',
        ' e',
      ].join('\n'),
    );
  });

  it('shows only the change if no hunk is rejected', () => {
    assert.equal(
      describeDecision(before, proposed, proposed.replace('B', 'better')),
      [
        'The user changed your proposal before accepting it. The difference between your proposal and the file now:',
        '@@ -1,3 +1,3 @@',
        ' a',
        '-B',
        '+better',
        ' c',
      ].join('\n'),
    );
  });

  it('is limited for many hunks and long lines', () => {
    const old = Array.from({ length: 300 }, (_, line) => `line ${line}`);
    const wanted = old.map((text, line) => (line % 5 === 0 ? `${'x'.repeat(500)} ${line}` : text));
    const applied = wanted.map((text, line) => (line < 290 ? (old[line] ?? '') : text));
    const report = describeDecision(lines(...old), lines(...wanted), lines(...applied)) ?? '';
    assert.match(report, /, 48 more of 60\.$/);
    assert.ok(report.length < 1200, String(report.length));
  });
});
