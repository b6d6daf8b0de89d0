import assert from 'node:assert/strict';
import { Throttle } from '../../../../src/util/async/throttle';
import { ManualSchedule } from '../../../support/manualSchedule';

describe('a throttle', () => {
  let passed: number[];
  let schedule: ManualSchedule;
  let throttle: Throttle<number>;

  beforeEach(() => {
    passed = [];
    schedule = new ManualSchedule();
    throttle = new Throttle({ everyMs: 500, setTimer: schedule.schedule, pass: (value) => passed.push(value) });
  });

  it('passes the first value at once, and the newest of those that come too soon when it is time', () => {
    for (const value of [1, 2, 3]) throttle.give(value);
    assert.deepEqual(passed, [1]);
    schedule.run(500);
    assert.deepEqual(passed, [1, 3]);
    throttle.give(4);
    assert.deepEqual(passed, [1, 3]);
    schedule.run(500);
    assert.deepEqual(passed, [1, 3, 4]);
  });

  it('passes a value at once after a pause', () => {
    throttle.give(1);
    schedule.run(500);
    throttle.give(2);
    assert.deepEqual(passed, [1, 2]);
  });

  it('drops what waits when it is disposed', () => {
    throttle.give(1);
    throttle.give(2);
    throttle.dispose();
    schedule.run();
    assert.deepEqual([passed, schedule.delays], [[1], []]);
  });
});
