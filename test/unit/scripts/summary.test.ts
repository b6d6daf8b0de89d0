import assert from 'node:assert/strict';
import { summarize } from '../../../scripts/test/summary';

const outcome = { name: 'package', seconds: 1, passed: 1, failed: 0, skipped: 0 };

describe('the summary of npm test', () => {
  it('ends with the sum of all counts', () => {
    const { lines, isGood } = summarize([outcome, { ...outcome, skipped: 2 }], {
      grep: undefined,
      testCount: 0,
      failures: [],
      secondTries: [],
    });
    assert.deepEqual([lines.at(-1), isGood], ['2 passed, 0 failed, 2 skipped', true]);
  });

  it('fails if a stage failed', () => {
    const { lines, isGood } = summarize([outcome, { ...outcome, failed: 1 }], {
      grep: 'a',
      testCount: 0,
      failures: [],
      secondTries: [],
    });
    assert.deepEqual([lines.at(-1), isGood], ['2 passed, 1 failed', false]);
  });

  it('names what failed, and what needed a second try, before the counts', () => {
    const failures = [{ stage: 'webview', text: 'the list scrolls\nexpected 1' }];
    const { lines } = summarize([{ ...outcome, failed: 1 }], {
      grep: undefined,
      testCount: 1,
      failures,
      secondTries: failures,
    });
    assert.deepEqual(lines.slice(0, 2), [
      'webview: passed only at the second try: the list scrolls\n    expected 1\n',
      'webview: the list scrolls\n    expected 1\n',
    ]);
    assert.equal(lines.at(-1), '1 passed, 1 failed');
  });

  it('fails if --grep matched no test, even if checks passed', () => {
    const { lines, isGood } = summarize([outcome], { grep: 'typo', testCount: 0, failures: [], secondTries: [] });
    assert.deepEqual([lines.slice(-2), isGood], [['No test matches "typo".', '1 passed, 1 failed'], false]);
    assert.equal(summarize([outcome], { grep: 'word', testCount: 1, failures: [], secondTries: [] }).isGood, true);
  });
});
