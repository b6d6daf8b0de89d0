import assert from 'node:assert/strict';
import { leaveAtOnce } from '../../../../src/util/async/leaveAtOnce';

describe('leaveAtOnce', () => {
  async function* numbers(wait: Promise<void>, log: string[]): AsyncGenerator<number, string> {
    try {
      yield 1;
      await wait;
      yield 2;
      return 'end';
    } finally {
      log.push('cleaned up');
    }
  }

  it('gives everything to a reader that stays', async () => {
    const log: string[] = [];
    const all: number[] = [];
    for await (const number of leaveAtOnce(numbers(Promise.resolve(), log), () => log.push('left'))) all.push(number);
    assert.deepEqual([all, log], [[1, 2], ['cleaned up']]);
  });

  it('calls onLeave for a reader that leaves while it waits, and not for one that has a value', async () => {
    const log: string[] = [];
    let end = (): void => {};
    const wait = new Promise<void>((resolve) => (end = resolve));
    const waiting = leaveAtOnce(numbers(wait, log), () => {
      log.push('left');
      end();
    });
    await waiting.next();
    const pending = waiting.next();
    assert.deepEqual(await waiting.return('early'), { done: true, value: 'early' });
    assert.deepEqual([await pending, log], [{ done: false, value: 2 }, ['left', 'cleaned up']]);
    const other: string[] = [];
    for await (const number of leaveAtOnce(numbers(wait, other), () => other.push('left'))) {
      if (number === 1) break;
    }
    assert.deepEqual(other, ['cleaned up']);
  });
});
