import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { withinTime } from '../../../../src/util/async/withinTime';

const forever = new Promise<string>(() => {});

/** Waits first, because the test runner sets its own timer after the test has begun. */
async function timers(): Promise<number> {
  await setImmediate();
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

describe('withinTime', () => {
  it('gives the result of work that is ready, and leaves no timer', async () => {
    const before = await timers();
    assert.equal(await withinTime(Promise.resolve('done'), 600_000), 'done');
    assert.equal(await timers(), before);
  });

  it('gives undefined when the time is up', async () => {
    assert.equal(await withinTime(forever, 1), undefined);
  });

  it('gives undefined when the signal is aborted, before or meanwhile', async () => {
    assert.equal(await withinTime(forever, 600_000, AbortSignal.abort()), undefined);
    const stopping = new AbortController();
    const waiting = withinTime(forever, 600_000, stopping.signal);
    stopping.abort();
    assert.equal(await waiting, undefined);
  });

  it('rejects as the work does, and leaves no timer', async () => {
    const before = await timers();
    await assert.rejects(withinTime(Promise.reject(new Error('broken')), 600_000), /^Error: broken$/);
    assert.equal(await timers(), before);
  });
});
