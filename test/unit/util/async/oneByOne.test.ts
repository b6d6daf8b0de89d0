import assert from 'node:assert/strict';
import { oneByOne, type SendTo } from '../../../../src/util/async/oneByOne';

describe('values one by one', () => {
  /** Sends two arrays of values and logs how it goes. */
  function logged(log: string[]): SendTo<number> {
    return async (sink) => {
      log.push('begins');
      for (const values of [
        [1, 2],
        [3, 4],
      ]) {
        log.push(`sends ${values.join()}`);
        await sink.take(values);
        if (sink.hasLeft) break;
      }
      log.push('ends');
    };
  }

  it('asks for the next array when all values before it were read and one more is asked for', async () => {
    const log: string[] = [];
    const values = oneByOne(logged(log));
    assert.equal(log.length, 0);
    for await (const value of values) log.push(String(value));
    assert.deepEqual(log, ['begins', 'sends 1,2', '1', '2', 'sends 3,4', '3', '4', 'ends']);
  });

  it('ends the sender when its reader leaves in the middle', async () => {
    const log: string[] = [];
    for await (const value of oneByOne(logged(log))) {
      log.push(String(value));
      break;
    }
    assert.deepEqual(log, ['begins', 'sends 1,2', '1', 'ends']);
  });

  it('begins nothing for a reader that has left before', async () => {
    const log: string[] = [];
    const reader = oneByOne(logged(log))[Symbol.asyncIterator]();
    assert.deepEqual(await reader.return?.(), { done: true, value: undefined });
    assert.deepEqual(await reader.next(), { done: true, value: undefined });
    assert.deepEqual(log, []);
  });

  it('answers in order when several values are asked for at once', async () => {
    const reader = oneByOne(logged([]))[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 6 }, () => reader.next()));
    assert.deepEqual(
      results.map(({ value }) => value),
      [1, 2, 3, 4, undefined, undefined],
    );
  });

  it('leaves after the value that is waited for', async () => {
    const reader = oneByOne(logged([]))[Symbol.asyncIterator]();
    const [first, left] = await Promise.all([reader.next(), reader.return?.()]);
    assert.deepEqual(first, { done: false, value: 1 });
    assert.deepEqual(left, { done: true, value: undefined });
  });

  it('fails once, after the values before the failure', async () => {
    const reader = oneByOne<number>(async (sink) => {
      await sink.take([1]);
      throw new Error('It is broken.');
    })[Symbol.asyncIterator]();
    assert.deepEqual(await reader.next(), { done: false, value: 1 });
    await assert.rejects(reader.next(), /It is broken/);
    assert.deepEqual(await reader.next(), { done: true, value: undefined });
  });
});
