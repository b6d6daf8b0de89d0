import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { PS } from './systemProgram';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Identifies the process together with the pid, because pids are reused. Only to be compared for equality. */
  readonly startedAt: string;
}

/**
 * The running processes of this machine, without zombies: in some containers nobody collects orphans, and they stay zombies
 * for ever. Empty on Windows.
 */
export async function listProcesses(): Promise<readonly ProcessInfo[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') return listByPs();
  return readdirSync('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    return found ? [found] : [];
  });
}

/** When a running process started; `undefined` if it has ended, is a zombie, or the system does not tell. */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.platform === 'linux') return readStat(pid)?.startedAt;
  try {
    return execFileSync(PS, ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    // ps fails if there is no such process.
    return undefined;
  }
}

/** Whether a process started at `since` or later. Always true on systems whose start times cannot be compared. */
export function isSince({ startedAt }: ProcessInfo, since: string | undefined): boolean {
  return since === undefined || process.platform !== 'linux' || Number(startedAt) >= Number(since);
}

/** Whether a process was started with `variable=value` in its environment. Only works on Linux. */
export function hasVariable(pid: number, variable: string, value: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${variable}=${value}\0`);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

function readStat(pid: number): ProcessInfo | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
  // "pid (name) state parent group …". The name may contain brackets, so the last bracket ends it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  // Field 22 of proc(5), in clock ticks since the machine started.
  return { pid, parent: Number(parent), group: Number(group), startedAt: fields[19] ?? '' };
}

async function listByPs(): Promise<readonly ProcessInfo[]> {
  const { stdout } = await promisify(execFile)(PS, ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (!pid || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt: started.join(' ') }];
  });
}
