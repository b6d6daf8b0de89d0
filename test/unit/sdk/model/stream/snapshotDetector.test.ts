import assert from 'node:assert/strict';
import { SnapshotDetector } from '../../../../../src/sdk/model/stream/snapshotDetector';

function read(chunks: readonly string[]): string {
  const detector = new SnapshotDetector();
  return chunks.map((chunk) => detector.push(chunk)).join('') + detector.end();
}

describe('SnapshotDetector', () => {
  for (const [name, chunks, expected] of [
    ['joins new pieces', ['Hel', 'lo', ' world'], 'Hello world'],
    ['keeps text that repeats itself', ['ha', 'ha', '!'], 'haha!'],
    [
      'reads chunks that repeat the whole text',
      ['One', 'One two', 'One two three', 'One two three.'],
      'One two three.',
    ],
    ['ignores an older state of the whole text', ['One', 'One two', 'One two three', 'One two'], 'One two three'],
    ['believes one extension of a long first chunk', ['The answer is', 'The answer is 42.'], 'The answer is 42.'],
    ['keeps both of two short chunks', ['a', 'ab'], 'aab'],
  ] as const) {
    it(name, () => assert.equal(read(chunks), expected));
  }
});
