import * as nodeFiles from 'node:fs/promises';
import { SessionElsewhere } from '../../../src/sdk/session/logLock';
import { FileLock } from '../../../src/workspace/node/files/fileLock';
import { nodeProcesses } from '../../../src/workspace/node/processes/processIdentity';
import { lockPath } from '../../../src/agent/sessionFiles/sessionDisk';
import { createLogStorage } from '../../../src/sdk/session/createLogStorage';
import { SessionLog } from '../../../src/sdk/session/sessionLog';

/**
 * A separate process that writes a session, for a test to kill or to run beside others. It takes the session as often as
 * it can and appends `burst` entries with the id of this process and a number. It prints each number when the log reports
 * it as written, then releases the session. Ends after `rounds` turns; with 0, never.
 */
async function main(path: string, burst: number, rounds: number): Promise<void> {
  const setTimer = (run: () => void, delayMs: number) => {
    const timer = setTimeout(run, delayMs).unref();
    return { dispose: () => clearTimeout(timer) };
  };
  let number = 0;
  for (let round = 0; rounds === 0 || round < rounds;) {
    const lock = new FileLock({
      path: lockPath(path),
      files: nodeFiles,
      processes: nodeProcesses,
      now: Date.now,
      newToken: () => crypto.randomUUID(),
      setTimer,
      heldElsewhere: () => new SessionElsewhere(),
    });
    try {
      await lock.acquire();
    } catch {
      // Another process has the session, as the test intends.
      await new Promise(setImmediate);
      continue;
    }
    round += 1;
    const log = await SessionLog.open({
      path,
      storage: createLogStorage(nodeFiles),
      lock,
      now: Date.now,
      newId: () => crypto.randomUUID(),
      onListenerError: (error) => process.stderr.write(`${String(error)}\n`),
    });
    for (let index = 0; index < burst; index += 1) {
      number += 1;
      log.append({ type: 'title', title: `${process.pid} ${round} ${number} ${'x'.repeat(number % 97)}` });
      const error = await log.flush();
      if (error) throw error;
      process.stdout.write(`${number}\n`);
    }
    await log.close();
  }
}

void main(process.argv[2] ?? '', Number(process.argv[3]), Number(process.argv[4]));
