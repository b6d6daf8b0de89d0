import { spawn, type ChildProcess } from 'node:child_process';
import { delay } from '../../../util/async/delay';
import { hasVariable, isSince, listProcesses, type ProcessInfo } from './processTable';
import { windowsProgram } from './systemProgram';

/** Each command's processes inherit this variable with the command's own id. They are found by it on Linux. */
export const RUN_VARIABLE = 'OPEN_AGENT_RUN';

/** How long processes may take to end after TERM. */
const KILL_AFTER_MS = 2000;
/** A process that survives KILL hangs in the kernel, and is left running. */
const GIVE_UP_AFTER_MS = 1000;
const POLL_MS = 50;

export interface TreeEnd {
  /** There was at least one process to end. */
  readonly hadMembers: boolean;
  /** Pids of processes that still run: they belong to another user, or hang in the kernel. */
  readonly surviving: readonly number[];
}

export interface ProcessTreeParts {
  /** Pid and group of the command's first process. */
  readonly leader: number;
  readonly runId: string;
  /** When that process started, if known. Older processes are ignored. */
  readonly since?: string | undefined;
}

/**
 * The processes of one command: its group, its descendants, and on Linux all processes with its variable. So processes that
 * leave the group (`setsid`, a double fork) are found too. A process that also clears its environment is lost when its
 * parent ends.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #runId: string;
  readonly #since: string | undefined;
  /** Start times by pid. A member stays a member when its parent ends. */
  readonly #known = new Map<number, string>();

  constructor({ leader, runId, since }: ProcessTreeParts) {
    this.#leader = leader;
    this.#since = since;
    this.#runId = runId;
  }

  /** The processes that run now. */
  async members(): Promise<readonly ProcessInfo[]> {
    const all = (await listProcesses()).filter((one) => isSince(one, this.#since));
    const byPid = new Map(all.map((one) => [one.pid, one]));
    const found = new Map<number, ProcessInfo>();
    for (const one of all) if (this.#isMember(one)) found.set(one.pid, one);
    for (const one of all) if (descendsFrom(one, found, byPid)) found.set(one.pid, one);
    found.delete(process.pid);
    for (const { pid, startedAt } of found.values()) this.#known.set(pid, startedAt);
    return [...found.values()];
  }

  /** Ends all processes: TERM, and KILL after two seconds. */
  async end(): Promise<TreeEnd> {
    let members = await this.members();
    if (members.length === 0) return { hadMembers: false, surviving: [] };
    this.#signal(members, 'SIGTERM');
    for (let waitedMs = 0; waitedMs < KILL_AFTER_MS && members.length > 0; waitedMs += POLL_MS) {
      await delay(POLL_MS);
      members = await this.members();
    }
    for (let waitedMs = 0; waitedMs < GIVE_UP_AFTER_MS && members.length > 0; waitedMs += POLL_MS) {
      // Repeated, because a process may have started others before it died.
      this.#signal(members, 'SIGKILL');
      await delay(POLL_MS);
      members = await this.members();
    }
    return { hadMembers: true, surviving: members.map(({ pid }) => pid) };
  }

  #isMember({ pid, group, startedAt }: ProcessInfo): boolean {
    return group === this.#leader || this.#known.get(pid) === startedAt || hasVariable(pid, RUN_VARIABLE, this.#runId);
  }

  #signal(members: readonly ProcessInfo[], name: NodeJS.Signals): void {
    // Signals the whole group at once, so that no process restarts another.
    if (members.some(({ group }) => group === this.#leader)) signal(-this.#leader, name);
    for (const { pid, group } of members) if (group !== this.#leader) signal(pid, name);
  }
}

function descendsFrom(
  one: ProcessInfo,
  members: ReadonlyMap<number, ProcessInfo>,
  byPid: ReadonlyMap<number, ProcessInfo>,
): boolean {
  let current: ProcessInfo | undefined = one;
  // Bounded, because the table may change while it is read and then have a circle.
  for (let depth = 0; current && depth < 100; depth++) {
    if (members.has(current.parent)) return true;
    current = byPid.get(current.parent);
  }
  return false;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // ESRCH: it has ended. EPERM: it runs as another user (`sudo`), and is reported as surviving.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Windows has no process groups. Its tool `taskkill` ends the tree of a running process. */
export async function endWindowsTree(child: ChildProcess): Promise<TreeEnd> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
    return { hadMembers: false, surviving: [] };
  await new Promise<void>((resolve) => {
    const taskkill = spawn(windowsProgram('taskkill.exe'), ['/pid', String(child.pid), '/T', '/F'], {
      stdio: 'ignore',
      windowsHide: true,
    });
    taskkill.once('error', () => resolve());
    taskkill.once('exit', () => resolve());
  });
  return { hadMembers: true, surviving: [] };
}
