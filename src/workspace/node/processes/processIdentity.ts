import { readFile, readlink } from 'node:fs/promises';
import os from 'node:os';
import * as z from 'zod';

/** Identifies a process, also across restarts of the machine and reused process numbers. */
export const ProcessIdentity = z.object({
  pid: z.int(),
  /** The scope of the number: the machine, its current start, its container. */
  realm: z.string(),
  /** When the process started, in the system's own unit; empty: unknown. */
  startTime: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** `unknown`: it ran elsewhere, or a later process with its number would look the same. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** The port to the processes of this machine. */
export interface Processes {
  self(): Promise<ProcessIdentity>;
  livenessOf(process: ProcessIdentity): Promise<Liveness>;
}

export const nodeProcesses: Processes = {
  async self() {
    return { pid: process.pid, realm: await readRealm(), startTime: (await readStartTime(process.pid)) ?? '' };
  },

  async livenessOf({ pid, realm, startTime }) {
    if (realm !== (await readRealm())) return 'unknown';
    if (!exists(pid)) return 'dead';
    const found = await readStartTime(pid);
    if (found === undefined || startTime === '') return pid === process.pid ? 'alive' : 'unknown';
    return found === startTime ? 'alive' : 'dead';
  },
};

/** Signal 0 only checks. It may be forbidden for a process of another user that exists. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

async function readRealm(): Promise<string> {
  const [boot, container] = await Promise.all([
    unlessAbsent(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    unlessAbsent(readlink('/proc/self/ns/pid')),
  ]);
  return [os.hostname(), boot?.trim(), container].filter(Boolean).join(' ');
}

/** Field 22 of proc(5)'s stat, counted after the name, which may hold any character. Linux only. */
async function readStartTime(pid: number): Promise<string | undefined> {
  const stat = await unlessAbsent(readFile(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

async function unlessAbsent(reading: Promise<string>): Promise<string | undefined> {
  try {
    return await reading;
  } catch {
    // Not Linux, or the process has just ended.
    return undefined;
  }
}
