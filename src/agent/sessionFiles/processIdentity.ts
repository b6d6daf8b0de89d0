import { readFile, readlink } from 'node:fs/promises';
import os from 'node:os';
import * as z from 'zod';

/** Tells one process from every other, over restarts of the machine and used-up process numbers. */
export const ProcessIdentity = z.object({
  pid: z.int(),
  /** Where the number means something: machine, its current start, its container. */
  realm: z.string(),
  /** When the process started, in a unit of the system's own; empty where that is not known. */
  startTime: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** `unknown`: it ran elsewhere, or nothing tells it from a later process with its number. */
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

/** Signal 0 only asks; a process of somebody else's may be there although it must not be asked. */
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

/** Field 22 of proc(5)'s stat, counted after the name, which may hold anything. Only Linux has it. */
async function readStartTime(pid: number): Promise<string | undefined> {
  const stat = await unlessAbsent(readFile(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

async function unlessAbsent(reading: Promise<string>): Promise<string | undefined> {
  try {
    return await reading;
  } catch {
    // Another system than Linux, or a process that has just ended: there is nothing to tell by.
    return undefined;
  }
}
