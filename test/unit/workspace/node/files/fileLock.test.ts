import assert from 'node:assert/strict';
import * as nodeFiles from 'node:fs/promises';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileLock, type LockCalls } from '../../../../../src/workspace/node/files/fileLock';
import {
  nodeProcesses,
  type Liveness,
  type Processes,
} from '../../../../../src/workspace/node/processes/processIdentity';
import { SessionElsewhere } from '../../../../../src/sdk/session/logLock';
import { ManualSchedule } from '../../../../support/manualSchedule';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('FileLock', () => {
  let folder: TemporaryFolder;
  let lockPath: string;
  let count: number;
  /** By process number. */
  let liveness: Map<number, Liveness>;
  let nowMs: number;
  let schedule: ManualSchedule;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    lockPath = path.join(folder.path, 's.lock');
    [count, liveness, nowMs, schedule] = [0, new Map(), Date.now(), new ManualSchedule()];
  });

  afterEach(() => folder.dispose());

  function lockOf(pid: number, files: LockCalls = nodeFiles): FileLock {
    if (!liveness.has(pid)) liveness.set(pid, 'alive');
    const processes: Processes = {
      self: async () => ({ pid, realm: 'r', startTime: 't' }),
      livenessOf: async (process) => liveness.get(process.pid) ?? 'unknown',
    };
    return new FileLock({
      path: lockPath,
      files,
      processes,
      now: () => nowMs,
      newToken: () => `token${(count += 1)}`,
      setTimer: schedule.schedule,
      heldElsewhere: () => new SessionElsewhere(),
    });
  }

  it('is one process’s until it gives it back', async () => {
    const [first, second] = [lockOf(1), lockOf(2)];
    await first.acquire();
    await assert.rejects(second.acquire(), SessionElsewhere);
    assert.deepEqual([await first.isFree(), await second.isFree()], [true, false]);
    await second.release();
    await first.acquire();
    await first.release();
    assert.equal(await second.isFree(), true);
    await second.acquire();
    await assert.rejects(first.acquire(), SessionElsewhere);
    await second.release();
    assert.deepEqual([await readdir(folder.path), schedule.delays], [[], []]);
  });

  it('passes from a dead process to one heir, however many want it', async () => {
    await lockOf(1).acquire();
    liveness.set(1, 'dead');
    const heirs = Array.from({ length: 20 }, (_, index) => lockOf(index + 2));
    const outcomes = await Promise.allSettled(heirs.map((heir) => heir.acquire()));
    const winners = outcomes.filter(({ status }) => status === 'fulfilled');
    assert.equal(winners.length, 1);
    assert.deepEqual(await readdir(folder.path), ['s.lock']);
  });

  it('passes on from an heir that died before it had it', async () => {
    await lockOf(1).acquire();
    liveness.set(1, 'dead');
    const dying = lockOf(2, {
      ...nodeFiles,
      // It dies: nothing it does from here on has an effect.
      rename: () => new Promise(() => {}),
    });
    void dying.acquire();
    while (!(await readdir(folder.path)).includes('s.lock.token1')) await new Promise(setImmediate);
    await assert.rejects(lockOf(3).acquire(), SessionElsewhere);
    liveness.set(2, 'dead');
    const heirs = [lockOf(4), lockOf(5), lockOf(6)];
    const outcomes = await Promise.allSettled(heirs.map((heir) => heir.acquire()));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('leaves the lock of a process that cannot be asked alone while it is renewed', async () => {
    const first = lockOf(1);
    liveness.set(1, 'unknown');
    await first.acquire();
    for (let minute = 0; minute < 20; minute += 1) {
      nowMs += 30_000;
      schedule.run();
      await new Promise(setImmediate);
      while (schedule.delays.length === 0) await new Promise(setImmediate);
    }
    await assert.rejects(lockOf(2).acquire(), SessionElsewhere);
    nowMs += 6 * 60_000;
    await lockOf(3).acquire();
    // It was only asleep: it notices before it writes again.
    await assert.rejects(first.acquire(), SessionElsewhere);
  });

  it('takes a file that holds no owner for one of somebody who cannot be asked', async () => {
    await writeFile(lockPath, '\0\0\0');
    const lock = lockOf(1);
    await assert.rejects(lock.acquire(), SessionElsewhere);
    await utimes(lockPath, 1, 1);
    await lock.acquire();
  });

  it('works without links, as on some network disks', async () => {
    const files: LockCalls = {
      ...nodeFiles,
      link: async () => {
        throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
      },
    };
    const [first, second] = [lockOf(1, files), lockOf(2, files)];
    await first.acquire();
    await assert.rejects(second.acquire(), SessionElsewhere);
    liveness.set(1, 'dead');
    await second.acquire();
    assert.deepEqual(await readdir(folder.path), ['s.lock']);
  });

  it('is taken at the next try when any call has failed once', async () => {
    const callNames = ['link', 'mkdir', 'readFile', 'rename', 'stat', 'unlink', 'utimes', 'writeFile'] as const;
    let failures = 0;
    for (let failing = 1; ; failing += 1) {
      await using place = await createTemporaryFolder();
      lockPath = path.join(place.path, 's.lock');
      await lockOf(1).acquire();
      liveness.set(1, 'dead');
      let calls = 0;
      const faulty = { ...nodeFiles };
      for (const name of callNames) {
        const real = nodeFiles[name] as (...args: unknown[]) => Promise<unknown>;
        Object.assign(faulty, {
          [name]: async (...args: unknown[]) => {
            calls += 1;
            if (calls === failing) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
            return real(...args);
          },
        });
      }
      const heir = lockOf(2, faulty);
      const isTaken = await heir.acquire().then(
        () => true,
        () => false,
      );
      if (!isTaken) await heir.acquire();
      await assert.rejects(lockOf(3).acquire(), SessionElsewhere);
      if (calls < failing) break;
      failures += 1;
    }
    process.stdout.write(`      ${failures} calls failed, one at a time\n`);
    assert.ok(failures > 5);
  });
});

describe('nodeProcesses', () => {
  it('tells whether a process lives by its number and its machine', async () => {
    const self = await nodeProcesses.self();
    assert.equal(await nodeProcesses.livenessOf(self), 'alive');
    assert.equal(await nodeProcesses.livenessOf({ ...self, pid: 2 ** 22 + 1 }), 'dead');
    assert.equal(await nodeProcesses.livenessOf({ ...self, realm: 'another machine' }), 'unknown');
  });

  it('tells a process from an earlier one with its number by the start time', async function () {
    // Other systems do not tell the start time.
    if (process.platform !== 'linux') this.skip();
    const self = await nodeProcesses.self();
    assert.equal(await nodeProcesses.livenessOf({ ...self, startTime: '1' }), 'dead');
  });
});
