import assert from 'node:assert/strict';
import { BoundedOutput } from '../../../../../src/workspace/node/commands/boundedOutput';

describe('BoundedOutput', () => {
  const collect = (pieces: readonly string[]): { output: string; omittedBytes: number } => {
    const bounded = new BoundedOutput({ maxHead: 4, maxTail: 4 });
    for (const piece of pieces) bounded.append(piece);
    return bounded.finish();
  };

  it('keeps everything that fits', () => {
    assert.deepEqual(collect(['ab', 'cd', 'efgh']), { output: 'abcdefgh', omittedBytes: 0 });
  });

  it('keeps head and tail for any pieces, and says how much is missing', () => {
    const expected = { output: 'abcd\n[… 6 bytes left out …]\nklmn', omittedBytes: 6 };
    assert.deepEqual(collect(['abcdefghijklmn']), expected);
    assert.deepEqual(collect([...'abcdefghijklmn']), expected);
  });

  it('counts bytes, not characters', () => {
    assert.equal(collect(['abcd', 'üü', 'klmn']).omittedBytes, 4);
  });

  it('does not split a surrogate pair', () => {
    assert.deepEqual(collect(['abcd', 'x😀lmn']), { output: 'abcd\n[… 5 bytes left out …]\nlmn', omittedBytes: 5 });
  });

  it('holds at most twice the tail', () => {
    const bounded = new BoundedOutput({ maxHead: 10, maxTail: 10 });
    for (let index = 0; index < 100_000; index++) bounded.append('0123456789');
    assert.equal(bounded.finish().omittedBytes, 1_000_000 - 20);
  });
});
