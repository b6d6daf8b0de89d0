import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface RunningProcess {
  readonly pid: number;
  readonly group: number;
}

/** Whether a process runs. Neither a zombie does, nor one that is just being removed. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await runningProcesses()).some((one) => one.pid === pid);
}

/** The ids of the processes in a process group. */
export async function processesOfGroup(group: number): Promise<readonly number[]> {
  return (await runningProcesses()).filter((one) => one.group === group).map(({ pid }) => pid);
}

async function runningProcesses(): Promise<readonly RunningProcess[]> {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** A minimal Linux has no `ps`. */
async function fromProc(): Promise<readonly RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: RunningProcess[] = [];
  for (const pid of pids) {
    try {
      // "pid (name) state parent group …". The name may contain brackets, so parse after the last one.
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state !== 'Z' && state !== 'X') found.push({ pid, group: Number(group) });
    } catch (error) {
      // The process ended between the listing and the reading.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ESRCH') throw error;
    }
  }
  return found;
}

async function fromPs(): Promise<readonly RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,pgid=,stat=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, , state]) => pid !== '' && state?.startsWith('Z') === false)
    .map(([pid, group]) => ({ pid: Number(pid), group: Number(group) }));
}
