import assert from 'node:assert/strict';
import { noCounts, type Counts } from '../../../scripts/test/counts';
import { Schedule, type Lanes, type StageOutcome } from '../../../scripts/test/schedule';
import type { Stage } from '../../../scripts/test/stages';
import { createGate, type Gate } from '../../support/servers/gate';

const passed: Counts = { ...noCounts, passed: 1 };
const failed: Counts = { ...noCounts, failed: 1 };

function stage(name: string, details: Partial<Stage> & { readonly commands?: readonly (readonly string[])[] }): Stage {
  const { commands = [[name]], ...others } = details;
  const parts = commands.map((part) => part.map((program) => ({ program, args: [], hasCounts: false, files: [] })));
  return { name, limitMinutes: 1, needs: [], after: [], hasWindows: false, ...others, parts };
}

/** A schedule whose commands end when the test says so. */
function start(stages: readonly Stage[], lanes: Lanes) {
  const log: string[] = [];
  const gates = new Map<string, Gate>();
  const results = new Map<string, Counts>();
  const schedule = new Schedule(stages, {
    lanes,
    async run(_stage, _part, { program }) {
      log.push(`start ${program}`);
      const gate = createGate();
      gates.set(program, gate);
      await gate.pass();
      return results.get(program) ?? passed;
    },
    onEnd: ({ name }) => log.push(`end ${name}`),
  });
  const outcomes = schedule.run();
  return {
    log,
    outcomes,
    schedule,
    async end(program: string, counts = passed) {
      results.set(program, counts);
      gates.get(program)?.open();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Without times. */
const countsOf = (outcomes: readonly StageOutcome[]) =>
  outcomes.map(({ name, passed: good, failed: bad, missing }) => [name, good, bad, ...(missing ? [missing] : [])]);

describe('the schedule of npm test', () => {
  it('runs as many parts at once as there are lanes, in the order of the stages', async () => {
    const test = start([stage('a', { commands: [['a1'], ['a2']] }), stage('b', {}), stage('c', {})], {
      all: 2,
      windows: 2,
    });
    assert.deepEqual(test.log, ['start a1', 'start a2']);
    assert.equal(test.schedule.describeRunning(), 'a (2 of 2 parts left)');
    await test.end('a2');
    assert.equal(test.schedule.describeRunning(), 'a (1 of 2 parts left), b');
    await test.end('b');
    await test.end('a1');
    await test.end('c');
    await test.outcomes;
    assert.deepEqual(test.log, ['start a1', 'start a2', 'start b', 'end b', 'start c', 'end a', 'end c']);
  });

  it('ends a part at the first command that fails, and runs the other parts', async () => {
    const test = start([stage('a', { commands: [['a1', 'never'], ['a2']] })], { all: 1, windows: 1 });
    await test.end('a1', failed);
    await test.end('a2');
    assert.deepEqual(countsOf(await test.outcomes), [['a', 1, 1]]);
    assert.deepEqual(test.log, ['start a1', 'start a2', 'end a']);
  });

  it('opens only so many windows at once, and gives other lanes to other stages', async () => {
    const windows = stage('windows', { commands: [['w1'], ['w2']], hasWindows: true });
    const test = start([windows, stage('a', {})], { all: 3, windows: 1 });
    assert.deepEqual(test.log, ['start w1', 'start a']);
    await test.end('w1');
    await test.end('w2');
    await test.end('a');
    await test.outcomes;
    assert.deepEqual(test.log, ['start w1', 'start a', 'start w2', 'end windows', 'end a']);
  });

  it('starts a stage when the stages before it have ended, and fails it when one that it needs failed', async () => {
    const stages = [
      stage('build', {}),
      stage('e2e', { needs: ['build'] }),
      stage('package', { after: ['build', 'e2e', 'not chosen'] }),
    ];
    const test = start(stages, { all: 3, windows: 3 });
    assert.deepEqual(test.log, ['start build']);
    await test.end('build', failed);
    await test.end('package');
    assert.deepEqual(countsOf(await test.outcomes), [
      ['build', 0, 1],
      ['e2e', 0, 1, 'build'],
      ['package', 1, 0],
    ]);
    assert.deepEqual(test.log, ['start build', 'end build', 'end e2e', 'start package', 'end package']);
  });

  it('fails all stages that need a failed stage, directly or not, in every order of the list', async () => {
    const stages = [stage('build', {}), stage('e2e', { needs: ['build'] }), stage('package', { needs: ['e2e'] })];
    for (const order of [stages, stages.toReversed(), [stages[2]!, stages[0]!, stages[1]!]]) {
      const test = start(order, { all: 3, windows: 3 });
      await test.end('build', failed);
      const outcomes = await test.outcomes;
      assert.deepEqual(
        outcomes.map(({ failed: bad }) => bad),
        [1, 1, 1],
      );
      assert.deepEqual(
        test.log.filter((line) => line.startsWith('start')),
        ['start build'],
      );
    }
  });

  it('rejects a stage without parts', () => {
    assert.throws(() => start([stage('a', { commands: [] })], { all: 1, windows: 1 }), /The stage "a" has no parts\./);
  });
});
