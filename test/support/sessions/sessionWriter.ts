import * as nodeFiles from 'node:fs/promises';
import { FileLock } from '../../../src/agent/sessionFiles/fileLock';
import { nodeProcesses } from '../../../src/agent/sessionFiles/processIdentity';
import { lockPath } from '../../../src/agent/sessionFiles/sessionDisk';
import { createLogStorage } from '../../../src/sdk/session/logStorage';
import { SessionLog } from '../../../src/sdk/session/sessionLog';

/**
 * A process of its own that writes a session, to be killed or to compete with others: takes the session as often as it
 * can get it, appends `burst` entries that name this process and their number, prints each number as soon as the log says
 * that it is written, and gives the session back. Ends after `rounds` turns; 0: never.
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
    });
    try {
      await lock.acquire();
    } catch {
      // Somebody else has it: that is what the test is about.
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
