import assert from 'node:assert/strict';
import { lateIterable } from '../../../../src/util/async/lateIterable';

describe('a late iterable', () => {
  function counted(log: string[]) {
    async function* values(): AsyncGenerator<number, void, undefined> {
      try {
        yield 1;
        yield 2;
      } finally {
        log.push('closed');
      }
    }
    return lateIterable(async () => {
      log.push('opened');
      return values();
    });
  }

  it('opens with the first value that is asked for, and gives all', async () => {
    const log: string[] = [];
    const iterable = counted(log);
    assert.equal(log.length, 0);
    for await (const value of iterable) log.push(String(value));
    assert.deepEqual(log, ['opened', '1', '2', 'closed']);
  });

  it('closes when its reader leaves in the middle', async () => {
    const log: string[] = [];
    for await (const value of counted(log)) {
      log.push(String(value));
      break;
    }
    assert.deepEqual(log, ['opened', '1', 'closed']);
  });

  it('opens nothing for a reader that has left before', async () => {
    const log: string[] = [];
    const reader = counted(log)[Symbol.asyncIterator]();
    assert.deepEqual(await reader.return?.(), { done: true, value: undefined });
    assert.deepEqual(await reader.next(), { done: true, value: undefined });
    assert.deepEqual(log, []);
  });

  it('fails as opening does', async () => {
    const reader = lateIterable<number>(() => Promise.reject(new Error('It is not there.')))[Symbol.asyncIterator]();
    await assert.rejects(reader.next(), /It is not there/);
  });
});
