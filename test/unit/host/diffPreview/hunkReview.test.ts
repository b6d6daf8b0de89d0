import assert from 'node:assert/strict';
import { hunkAt, HunkReview, nextOpen } from '../../../../src/host/diffPreview/hunkReview';

const before = '\uFEFFa\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\n';
const after = '\uFEFFA\r\nb\r\nc\r\nd\r\ne\r\nf\r\n';

describe('HunkReview', () => {
  let review: HunkReview;

  beforeEach(() => {
    review = new HunkReview({ before, after });
  });

  it('starts with all hunks open', () => {
    assert.deepEqual(review.states, ['open', 'open']);
    assert.deepEqual(review.places, [
      { start: 0, end: 1 },
      { start: 6, end: 6 },
    ]);
  });

  it('takes a hunk out and puts it back', () => {
    const rejected = review.decide(0, false);
    assert.equal(rejected, 'a\r\nb\r\nc\r\nd\r\ne\r\nf\r\n');
    assert.equal(review.read(rejected), true);
    assert.deepEqual(review.states, ['rejected', 'open']);
    const restored = review.decide(0, true);
    assert.equal(restored, 'A\r\nb\r\nc\r\nd\r\ne\r\nf\r\n');
    assert.equal(review.read(restored), true);
    assert.deepEqual(review.states, ['accepted', 'open']);
  });

  it('counts a hunk as rejected that was undone, deleted or reverted in the editor, whatever its line ends', () => {
    assert.equal(review.read('a\nb\nc\nd\ne\nf\n'), true);
    assert.deepEqual(review.states, ['rejected', 'open']);
    assert.equal(review.read('a\nb\nc typed\nd\ne\nf\n'), false);
    assert.equal(review.read('A\nb\nc typed\nd\ne\nf\n'), true);
    assert.deepEqual(review.states, ['open', 'open']);
  });

  it('forgets that a hunk was accepted when it disappears', () => {
    review.decide(0, true);
    assert.deepEqual(review.states, ['accepted', 'open']);
    review.read('a\nb\nc\nd\ne\nf\n');
    review.read('A\nb\nc\nd\ne\nf\n');
    assert.deepEqual(review.states, ['open', 'open']);
  });

  it('ignores an unknown hunk', () => {
    assert.equal(review.decide(7, true), 'A\r\nb\r\nc\r\nd\r\ne\r\nf\r\n');
    assert.equal(review.decide(7, false), 'A\r\nb\r\nc\r\nd\r\ne\r\nf\r\n');
    assert.deepEqual(review.states, ['open', 'open']);
  });
});

describe('the hunk at the cursor', () => {
  const places = [
    { start: 2, end: 4 },
    { start: 10, end: 10 },
  ];

  it('is the hunk at the line, or else the nearest', () => {
    assert.deepEqual(
      [0, 2, 3, 6, 7, 10, 40].map((line) => hunkAt(places, line)),
      [0, 0, 0, 0, 1, 1, 1],
    );
    assert.equal(hunkAt([], 0), undefined);
  });

  it('is followed by the next open hunk, then by the first', () => {
    assert.equal(nextOpen(['open', 'accepted', 'open'], 1), 2);
    assert.equal(nextOpen(['open', 'accepted', 'rejected'], 1), 0);
    assert.equal(nextOpen(['accepted', 'rejected'], 0), undefined);
  });
});
