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

  describe('with a second try', () => {
    /** A program that reports its files as failed as often as `failures` says. It knows the second try by its arguments. */
    async function runFiles(failures: Readonly<Record<string, number>>, program = reporting(failures)) {
      await using folder = await createTemporaryFolder({ 'program.cjs': program });
      await using runner = new CommandRunner({ mayBeEmpty: false });
      const files = Object.keys(failures);
      const args = ['--color', ...files];
      const command = {
        program: path.join(folder.path, 'program.cjs'),
        args,
        hasCounts: true,
        files,
        hasSecondTry: true,
      };
      const { passed, failed } = await runner.run(stage, 0, command);
      const texts = (list: typeof runner.failures) => list.map(({ text }) => text);
      return { counts: [passed, failed], failures: texts(runner.failures), secondTries: texts(runner.secondTries) };
    }
    /** Each file has one test that passes, and one that fails at the first `failures[file]` tries. */
    const reporting = (failures: Readonly<Record<string, number>>): string => `
      const { readFileSync, writeFileSync } = require('node:fs');
      const marker = require('node:path').join(__dirname, 'tries');
      let tries = 0;
      try { tries = Number(readFileSync(marker, 'utf8')); } catch {}
      writeFileSync(marker, String(tries + 1));
      const all = ${JSON.stringify(failures)};
      const files = {};
      for (const file of process.argv.slice(3)) files[file] = all[file] > tries ? { passed: 1, failed: 1, skipped: 0 } : { passed: 2, failed: 0, skipped: 0 };
      const sum = (key) => Object.values(files).reduce((total, one) => total + one[key], 0);
      const names = Object.keys(files).filter((file) => files[file].failed > 0);
      const report = { passed: sum('passed'), failed: sum('failed'), skipped: 0, failures: names, files };
      writeFileSync(process.env.OPEN_AGENT_TEST_REPORT, JSON.stringify(report));
      process.exit(names.length > 0 ? 1 : 0);`;

    it('run only the files again that failed, and tell that they did', async () => {
      assert.deepEqual(await runFiles({ a: 0, b: 1, c: 0 }), { counts: [6, 0], failures: [], secondTries: ['b'] });
    });

    it('fail if a file fails twice', async () => {
      assert.deepEqual(await runFiles({ a: 1, b: 2, c: 0 }), { counts: [5, 1], failures: ['b'], secondTries: [] });
    });

    it('fail at once if many files failed', async () => {
      const { counts, failures } = await runFiles({ a: 1, b: 1, c: 1, d: 0 });
      assert.deepEqual(
        [counts, failures],
        [
          [5, 3],
          ['a', 'b', 'c'],
        ],
      );
    });

    it('fail at once if they break off, or if a failure belongs to no file', async () => {
      assert.deepEqual((await runFiles({ a: 1 }, 'process.exit(1);')).counts, [0, 1]);
      const stray = {
        passed: 1,
        failed: 1,
        skipped: 0,
        failures: ['x'],
        files: { '': { passed: 0, failed: 1, skipped: 0 } },
      };
      assert.deepEqual((await runFiles({ a: 1 }, `${writes(JSON.stringify(stray))} process.exit(1);`)).counts, [1, 1]);
    });
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
