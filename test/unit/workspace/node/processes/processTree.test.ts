import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createNodeCommandRunner } from '../../../../../src/workspace/node/commands/nodeCommandRunner';
import type { CommandOutcome } from '../../../../../src/workspace/ports';
import { isRunning } from '../../../../support/commands/processes';
import { proving } from '../../../../support/safetySample';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('ProcessTree', () => {
  let folder: TemporaryFolder;

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    // Reading waits until a writer is there: a command that goes on only when what it started has its pid written.
    execFileSync('mkfifo', [path.join(folder.path, 'started')]);
  });
  afterEach(() => folder?.dispose());

  function run(
    command: string,
    { timeoutMs = 20_000, signal = new AbortController().signal } = {},
  ): Promise<CommandOutcome> {
    return createNodeCommandRunner().run({ command, cwd: folder.path, timeoutMs }, { signal, onOutput: () => {} });
  }

  /** Leaves the group, the session and its parent, and says who it is. */
  const escapes = `setsid sh -c '(echo $$ > pid; echo > started; exec sleep 1000) &' > /dev/null 2>&1 < /dev/null & cat started`;
  const escaped = async (): Promise<number> => Number(await readFile(path.join(folder.path, 'pid'), 'utf8'));

  it(proving('PR03', 'ends processes that left the group and lost their parent'), async () => {
    const outcome = await run(escapes);
    assert.deepEqual(
      { ended: outcome.ended, exitCode: outcome.exitCode, endedBackground: outcome.endedBackground },
      { ended: 'exited', exitCode: 0, endedBackground: true },
    );
    assert.equal(outcome.surviving, undefined);
    assert.equal(await isRunning(await escaped()), false);
  });

  it('kills processes in their own session that ignore TERM', async () => {
    const stubborn = `setsid sh -c 'trap "" TERM; echo $$ > pid; echo > started; while :; do sleep 0.05; done' & cat started`;
    await run(stubborn);
    assert.equal(await isRunning(await escaped()), false);
  });

  it('ends processes that cleared their environment, by their parent', async () => {
    const controller = new AbortController();
    const cleared = `setsid env -i sh -c 'echo $$ > pid; echo > started; exec sleep 1000' & cat started; echo up; wait`;
    const outcome = await createNodeCommandRunner().run(
      { command: cleared, cwd: folder.path, timeoutMs: 20_000 },
      { signal: controller.signal, onOutput: (text) => text.includes('up') && controller.abort() },
    );
    assert.equal(outcome.ended, 'stopped');
    assert.equal(await isRunning(await escaped()), false);
  });

  it('leaves processes of other commands alone', async () => {
    const controller = new AbortController();
    let hasStarted = (): void => {};
    const started = new Promise<void>((resolve) => (hasStarted = resolve));
    const other = createNodeCommandRunner().run(
      { command: 'echo $$ > other; echo up; exec sleep 1000', cwd: folder.path, timeoutMs: 20_000 },
      { signal: controller.signal, onOutput: () => hasStarted() },
    );
    await started;
    await run('sleep 1000 & true');
    assert.equal(await isRunning(Number(await readFile(path.join(folder.path, 'other'), 'utf8'))), true);
    controller.abort();
    assert.equal((await other).ended, 'stopped');
  });
});
