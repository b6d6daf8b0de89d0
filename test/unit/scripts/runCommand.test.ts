import assert from 'node:assert/strict';
import path from 'node:path';
import { CommandRunner } from '../../../scripts/test/runCommand';
import type { Stage } from '../../../scripts/test/stages';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { ManualSchedule } from '../../support/manualSchedule';

const stage: Stage = { name: 'unit', parts: [[]], limitMinutes: 1, needs: [], after: [], hasWindows: false };
const writes = (report: string) =>
  `require('node:fs').writeFileSync(process.env.OPEN_AGENT_TEST_REPORT, ${JSON.stringify(report)});`;
const good = '{"passed":2,"failed":0,"skipped":1}';
const none = '{"passed":0,"failed":0,"skipped":0}';

describe('the commands of npm test', () => {
  /** Runs a program and returns its counts, and the number of tests that it reported. */
  async function run(program: string, { mayBeEmpty = false, hasCounts = true } = {}) {
    await using folder = await createTemporaryFolder({ 'program.cjs': program });
    await using runner = new CommandRunner({ mayBeEmpty });
    const command = { program: path.join(folder.path, 'program.cjs'), args: [], hasCounts, files: [] };
    const { passed, failed, skipped } = await runner.run(stage, 0, command);
    return [passed, failed, skipped, runner.testCount];
  }

  it('report their tests', async () => {
    assert.deepEqual(await run(writes(good)), [2, 0, 1, 3]);
  });

  it('fail if they report no test, unless --grep was given', async () => {
    assert.deepEqual(await run(writes(none)), [0, 1, 0, 0]);
    assert.deepEqual(await run(writes(none), { mayBeEmpty: true }), [0, 0, 0, 0]);
  });

  it('fail if the report is missing or broken, with --grep too', async () => {
    for (const program of [
      'process.exit(0);',
      writes(''),
      writes('{"passed":'),
      writes('{"passed":1}'),
      writes('null'),
    ]) {
      for (const mayBeEmpty of [false, true])
        assert.deepEqual(await run(program, { mayBeEmpty }), [0, 1, 0, 0], program);
    }
  });

  it('fail if they end with a code other than 0, whatever they report', async () => {
    assert.deepEqual(await run(`${writes(good)} process.exit(1);`), [2, 1, 1, 3]);
    assert.deepEqual(await run(`${writes(none)} process.exit(1);`, { mayBeEmpty: true }), [0, 1, 0, 0]);
  });

  it('count as one check without tests if they report none', async () => {
    assert.deepEqual(await run('', { hasCounts: false }), [1, 0, 0, 0]);
    assert.deepEqual(await run('process.exit(1);', { hasCounts: false }), [0, 1, 0, 0]);
  });

  it('tell what failed: the tests with their errors, or the end of the output', async () => {
    const failuresOf = async (program: string) => {
      await using folder = await createTemporaryFolder({ 'program.cjs': program });
      await using runner = new CommandRunner({ mayBeEmpty: false });
      const command = { program: path.join(folder.path, 'program.cjs'), args: [], hasCounts: true, files: [] };
      await runner.run(stage, 0, command);
      return runner.failures;
    };
    assert.deepEqual(await failuresOf(writes(good)), []);
    const bad = { passed: 1, failed: 1, skipped: 0, failures: ['a list scrolls\nexpected 1'] };
    assert.deepEqual(await failuresOf(`${writes(JSON.stringify(bad))} process.exit(1);`), [
      { stage: 'unit', text: 'a list scrolls\nexpected 1' },
    ]);
    const [broken] = await failuresOf("console.log('first\\n'.repeat(1000) + 'the end'); process.exit(1);");
    assert.match(broken?.text ?? '', /the end$/);
    assert.ok((broken?.text.length ?? 0) <= 1500);
  });

  it('fail when their time is up, even if they then end with 0', async function () {
    // There, the program is ended without a signal that it could handle.
    if (process.platform === 'win32') this.skip();
    const clock = new ManualSchedule();
    const program = `${writes(good)} process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('ready');`;
    await using folder = await createTemporaryFolder({ 'program.cjs': program });
    await using runner = new CommandRunner({ mayBeEmpty: false, setTimer: clock.schedule });
    const command = { program: path.join(folder.path, 'program.cjs'), args: [], hasCounts: true, files: [] };
    const counts = runner.run(stage, 0, command);
    while (!runner.outputOf(stage).includes('ready')) await new Promise((resolve) => setImmediate(resolve));
    clock.run(60_000);
    assert.deepEqual(await counts, { passed: 2, failed: 1, skipped: 1 });
    assert.match(runner.outputOf(stage), /longer than 1 minutes and was ended/);
  });
});
