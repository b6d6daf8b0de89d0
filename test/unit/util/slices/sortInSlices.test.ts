import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mapInSlices } from '../../../../src/util/slices/mapInSlices';
import { STEPS_OF_SLICE } from '../../../../src/util/slices/slices';
import { sortInSlices } from '../../../../src/util/slices/sortInSlices';
import { countWork } from '../../../support/workInATurn';

/** Numbers with their place, so that equal ones can be told apart. */
const numbers = fc
  .tuple(fc.array(fc.nat(20), { maxLength: 50 }), fc.constantFrom(1, 7, 40, 90))
  .map(([some, times]) => Array.from({ length: times }, () => some).flat())
  .map((values) => values.map((value, place) => ({ value, place })));

describe('sortInSlices', () => {
  it('sorts as toSorted does, and keeps the order of equal items', async () => {
    const byValue = (a: { value: number }, b: { value: number }): number => a.value - b.value;
    await fc.assert(
      fc.asyncProperty(numbers, async (items) => {
        assert.deepEqual(await sortInSlices(items, byValue), items.toSorted(byValue));
      }),
      { numRuns: 100 },
    );
  });

  it('compares a few thousand items at most between turns', async () => {
    const items = Array.from({ length: 50_000 }, (_, index) => (index * 7_919) % 50_000);
    const { most, all } = await countWork((step) =>
      sortInSlices(items, (a, b) => {
        step();
        return a - b;
      }),
    );
    assert.ok(all > 500_000, String(all));
    assert.ok(most <= 5 * STEPS_OF_SLICE, String(most));
  });
});

describe('mapInSlices', () => {
  it('gives the results in order, plain ones and promised ones', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    const map = (item: number): number | Promise<number> => (item % 3 === 0 ? Promise.resolve(item + 1) : item + 1);
    assert.deepEqual(
      await mapInSlices(items, map),
      items.map((item) => item + 1),
    );
  });

  it('waits for a few promises at once', async () => {
    let [open, most] = [0, 0];
    await mapInSlices(Array.from({ length: 1_000 }), async () => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
    });
    assert.equal(most, 64);
  });

  it('maps a few thousand items at most between turns', async () => {
    const { most, all } = await countWork((step) => mapInSlices(Array.from({ length: 50_000 }), step));
    assert.equal(all, 50_000);
    assert.ok(most <= 2 * STEPS_OF_SLICE, String(most));
  });
});
