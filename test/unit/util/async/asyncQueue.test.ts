import assert from 'node:assert/strict';
import { AsyncQueue } from '../../../../src/util/async/asyncQueue';

describe('AsyncQueue', () => {
  it('gives what was pushed before the end, in order, and the value of the end once', async () => {
    const queue = new AsyncQueue<number, string>();
    const early = queue.next();
    for (const value of [1, 2, 3]) queue.push(value);
    queue.close('end');
    queue.push(4);
    const results = [await early, await queue.next(), await queue.next(), await queue.next(), await queue.next()];
    assert.deepEqual(
      results.map(({ done, value }) => [done, value]),
      [
        [false, 1],
        [false, 2],
        [false, 3],
        [true, 'end'],
        [true, undefined],
      ],
    );
  });

  it('answers several who wait in order, and says whether somebody waits', async () => {
    const queue = new AsyncQueue<number>();
    assert.equal(queue.isAwaited, false);
    const waiting = [queue.next(), queue.next()];
    assert.equal(queue.isAwaited, true);
    queue.push(1);
    queue.push(2);
    assert.deepEqual([queue.isAwaited, queue.isEmpty], [false, true]);
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ value }) => value),
      [1, 2],
    );
  });

  it('fails after the items before, once', async () => {
    const queue = new AsyncQueue<number>();
    queue.push(1);
    queue.fail(new Error('It is broken.'));
    assert.deepEqual(await queue.next(), { done: false, value: 1 });
    await assert.rejects(queue.next(), /It is broken/);
    assert.deepEqual(await queue.next(), { done: true, value: undefined });
  });
});
