import assert from 'node:assert/strict';
import { QuietWait } from '../../../../src/host/ports/quietWait';
import { Emitter } from '../../../../src/util/emitter';
import { ManualSchedule } from '../../../support/manualSchedule';

describe('QuietWait', () => {
  const times = { firstMs: 100, quietMs: 10, mostMs: 1000 };
  let events: Emitter<void>;
  let schedule: ManualSchedule;
  let wait: QuietWait;
  let hasSettled: boolean;

  beforeEach(() => {
    events = new Emitter((error) => assert.fail(String(error)));
    schedule = new ManualSchedule();
    wait = new QuietWait(events.on, times, schedule.schedule);
    hasSettled = false;
  });

  const settle = (controller = new AbortController()): Promise<void> =>
    wait.settled(controller).then(() => {
      hasSettled = true;
    });

  it('ends without an event when none comes in time', async () => {
    const settled = settle();
    assert.deepEqual(schedule.delays, [100, 1000]);
    schedule.run();
    await settled;
    assert.equal(wait.hasHeard, false);
    assert.deepEqual(schedule.delays, []);
  });

  it('waits for a quiet moment after each event, up to its limit', async () => {
    const settled = settle();
    events.emit();
    assert.deepEqual(schedule.delays, [1000, 10]);
    events.emit();
    assert.deepEqual(schedule.delays, [1000, 10]);
    await Promise.resolve();
    assert.equal(hasSettled, false);
    schedule.run();
    await settled;
    assert.equal(wait.hasHeard, true);
  });

  it('counts events from before the wait', async () => {
    events.emit();
    const settled = settle();
    assert.deepEqual(schedule.delays, [10, 1000]);
    schedule.run();
    await settled;
  });

  it('ends at once when aborted', async () => {
    const controller = new AbortController();
    const settled = settle(controller);
    controller.abort();
    await settled;
    assert.deepEqual(schedule.delays, []);
    await settle(controller);
    assert.deepEqual(schedule.delays, []);
  });

  it('stops listening when disposed', () => {
    wait.dispose();
    events.emit();
    assert.equal(wait.hasHeard, false);
  });
});
