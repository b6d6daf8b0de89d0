import assert from 'node:assert/strict';
import { RecentChanges } from '../../../../src/host/ports/recentChanges';
import { Emitter } from '../../../../src/util/emitter';
import { ManualSchedule } from '../../../support/manualSchedule';

describe('RecentChanges', () => {
  const times = { leastMs: 1_500, mostMs: 4_000 };
  let reports: Emitter<void>;
  let schedule: ManualSchedule;
  let nowMs: number;
  let changes: RecentChanges;
  let hasNews: boolean;
  let isSure: boolean;

  beforeEach(() => {
    reports = new Emitter((error) => assert.fail(String(error)));
    schedule = new ManualSchedule();
    nowMs = 10_000;
    changes = new RecentChanges(times, { on: reports.on, schedule: schedule.schedule, now: () => nowMs });
    hasNews = true;
    isSure = false;
  });

  const untilSure = (controller = new AbortController()): Promise<void> =>
    changes
      .untilSure(() => hasNews, controller)
      .then(() => {
        isSure = true;
      });
  /** Two files of one group: both are written before the first is checked. */
  const changeTwo = (msBetween = 50): void => {
    const first = changes.begin();
    nowMs += msBetween;
    const second = changes.begin();
    nowMs += msBetween;
    first.end();
    second.end();
  };

  it('believes reports after a single change, and after several that brought nothing new', async () => {
    changes.begin().end();
    await untilSure();
    hasNews = false;
    changeTwo();
    await untilSure();
    assert.deepEqual(schedule.delays, []);
  });

  it('doubts the report of a state between two changes until it is taken back', async () => {
    changeTwo();
    const sure = untilSure();
    assert.deepEqual(schedule.delays, [1_500]);
    reports.emit();
    await new Promise(setImmediate);
    assert.equal(isSure, false);
    hasNews = false;
    reports.emit();
    await sure;
    assert.deepEqual(schedule.delays, []);
  });

  it('believes what is still reported after the time', async () => {
    changeTwo();
    nowMs += 500;
    const sure = untilSure();
    assert.deepEqual(schedule.delays, [1_000]);
    schedule.run();
    await sure;
    nowMs += 1_000;
    await untilSure();
    assert.deepEqual(schedule.delays, []);
  });

  it('waits twice as long as the first report took, up to a limit', async () => {
    const first = changes.begin();
    nowMs += 1_000;
    reports.emit();
    nowMs += 5;
    reports.emit();
    changes.begin().end();
    first.end();
    void untilSure();
    assert.deepEqual(schedule.delays, [2_000]);
    nowMs += 10_000;
    const next = changes.begin();
    nowMs += 9_000;
    reports.emit();
    changes.begin().end();
    next.end();
    void untilSure();
    assert.deepEqual(schedule.delays, [2_000, 4_000]);
    schedule.run();
  });

  it('takes changes of two steps together when they follow each other closely', async () => {
    changes.begin().end();
    nowMs += 1_499;
    changes.begin().end();
    const sure = untilSure();
    assert.deepEqual(schedule.delays, [1_500]);
    schedule.run();
    await sure;
    nowMs += 1_500;
    changes.begin().end();
    await untilSure();
    assert.deepEqual(schedule.delays, []);
  });

  it('does not count a change that was not made', async () => {
    const given = changes.begin();
    changes.begin().end();
    given.dispose();
    given.end();
    await untilSure();
    assert.deepEqual(schedule.delays, []);
  });

  it('ends when it is stopped', async () => {
    changeTwo();
    const controller = new AbortController();
    const sure = untilSure(controller);
    controller.abort();
    await sure;
    await untilSure(controller);
    assert.deepEqual(schedule.delays, []);
  });
});
