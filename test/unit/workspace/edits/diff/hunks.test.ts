import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  decideHunk,
  findHunks,
  findRejected,
  leaveOut,
  splitHunks,
  splitLines,
} from '../../../../../src/workspace/edits/diff/hunks';

const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
/** Three hunks: `b` replaced, two lines put in after `f`, `j` taken out. */
const proposed = lines('a', 'B', 'c', 'd', 'e', 'f', 'new', 'newer', 'g', 'h', 'i');
const edit = splitHunks(before, proposed);
const textOf = (rejected: readonly number[]): string => leaveOut(edit, new Set(rejected)).lines.texts.join('');
const decide = (text: string, index: number, isKept: boolean): string => {
  const now = splitLines(text);
  return decideHunk(edit, now, { index, isKept, rejected: findRejected(edit, now) });
};

describe('the hunks of an edit', () => {
  it('are its changed lines', () => {
    assert.deepEqual(edit.hunks, [
      { oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 },
      { oldStart: 6, oldEnd: 6, newStart: 6, newEnd: 8 },
      { oldStart: 9, oldEnd: 10, newStart: 11, newEnd: 11 },
    ]);
  });

  it('join changes with at most two unchanged lines between them', () => {
    assert.equal(splitHunks(lines('a', 'b', 'c', 'd'), lines('A', 'b', 'c', 'D')).hunks.length, 1);
    assert.equal(splitHunks(lines('a', 'b', 'c', 'd', 'e'), lines('A', 'b', 'c', 'd', 'E')).hunks.length, 2);
  });

  it('can be left out one by one', () => {
    assert.equal(textOf([0]), lines('a', 'b', 'c', 'd', 'e', 'f', 'new', 'newer', 'g', 'h', 'i'));
    assert.equal(textOf([1]), lines('a', 'B', 'c', 'd', 'e', 'f', 'g', 'h', 'i'));
    assert.equal(textOf([2]), lines('a', 'B', 'c', 'd', 'e', 'f', 'new', 'newer', 'g', 'h', 'i', 'j'));
    assert.equal(textOf([0, 1, 2]), before);
    assert.equal(textOf([]), proposed);
  });

  it('can be removed and added again, and text typed elsewhere stays', () => {
    const typed = proposed.replace('d\n', 'd typed\n');
    const without = decide(typed, 1, false);
    assert.equal(without, lines('a', 'B', 'c', 'd typed', 'e', 'f', 'g', 'h', 'i'));
    assert.deepEqual(findRejected(edit, splitLines(without)), new Set([1]));
    assert.equal(decide(without, 1, true), typed);
    assert.equal(decide(without, 2, false), lines('a', 'B', 'c', 'd typed', 'e', 'f', 'g', 'h', 'i', 'j'));
  });

  it('lose typed text when they are removed, and keep it when they are accepted', () => {
    const typed = proposed.replace('newer\n', 'newest\nand more\n');
    assert.equal(decide(typed, 1, true), typed);
    assert.equal(decide(typed, 1, false), textOf([1]));
  });

  it('are found in the text with typed text in them', () => {
    const now = splitLines(lines('zero', 'a', 'b', 'c', 'd', 'e', 'f', 'new', 'between', 'newer', 'g', 'h', 'i'));
    assert.deepEqual(findHunks(edit, now, findRejected(edit, now)), [
      { start: 2, end: 3 },
      { start: 7, end: 10 },
      { start: 13, end: 13 },
    ]);
  });

  it('keep line ends, byte order mark and a missing final newline as they are', () => {
    const windows = splitHunks('\uFEFFa\r\nb\r\nc\r\nd\r\nlast', '\uFEFFA\r\nb\r\nc\r\nd\r\nlast\r\n');
    assert.equal(leaveOut(windows, new Set([0])).lines.texts.join(''), '\uFEFFa\r\nb\r\nc\r\nd\r\nlast\r\n');
    assert.equal(leaveOut(windows, new Set([1])).lines.texts.join(''), '\uFEFFA\r\nb\r\nc\r\nd\r\nlast');
    // An editor shows neither a byte order mark nor mixed line ends.
    assert.deepEqual(findRejected(windows, splitLines('a\nb\nc\nd\nlast\n')), new Set([0]));
  });

  it('do not exist for an edit that is decided as a whole', () => {
    const one = splitHunks(null, 'a\nb\n');
    assert.equal(one.hunks.length, 1);
    assert.deepEqual(findRejected(one, splitLines('')), new Set());
  });

  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '}\n', 'd\n', 'e\r\n'), { maxLength: 60 })
    .map((all) => all.join(''));

  it('show the choice for any two texts and any choice', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.nat(20)), (old, wanted, chosen) => {
        const split = splitHunks(old, wanted);
        if (split.hunks.length < 2) return;
        const rejected = new Set(chosen.filter((index) => index < split.hunks.length));
        const mixed = leaveOut(split, rejected).lines;
        assert.deepEqual(leaveOut(split, findRejected(split, mixed)).lines.keys, mixed.keys);
      }),
      { numRuns: 2000 },
    );
  });

  it('give the old text without all hunks, and the proposal with all', () => {
    fc.assert(
      fc.property(text, text, (old, wanted) => {
        const split = splitHunks(old, wanted);
        const all = new Set(split.hunks.keys());
        assert.equal(leaveOut(split, new Set()).lines.texts.join(''), wanted);
        assert.deepEqual(leaveOut(split, all).lines.keys, splitLines(old).keys);
      }),
      { numRuns: 1000 },
    );
  });

  it('can be decided in any order with the same result', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 12 }), (old, wanted, steps) => {
        const split = splitHunks(old, wanted);
        if (split.hunks.length < 2) return;
        let rejected: ReadonlySet<number> = new Set();
        let now = wanted;
        for (const [at, isKept] of steps) {
          const index = at % split.hunks.length;
          now = decideHunk(split, splitLines(now), { index, isKept, rejected });
          rejected = new Set(isKept ? [...rejected].filter((one) => one !== index) : [...rejected, index]);
          assert.equal(now, leaveOut(split, rejected).lines.texts.join(''));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
