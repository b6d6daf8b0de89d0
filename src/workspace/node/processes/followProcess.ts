import type { ChildProcess } from 'node:child_process';
import { withinTime } from '../../../util/async/withinTime';
import type { CommandOutcome } from '../../ports';
import { startOf } from './processTable';
import { endWindowsTree, ProcessTree, type TreeEnd } from './processTree';

/** How a process ended, without its output. `startError` is set for `failed_to_start`. */
export type ProcessEnding = Omit<CommandOutcome, 'output' | 'omittedBytes'> & { readonly startError?: string };

/** How long output is read after the process ended. A background process may keep the pipe open. */
const DRAIN_MS = 500;
/** How long to wait for the exit of a killed process. */
const GIVE_UP_AFTER_MS = 1000;

export interface FollowOptions {
  /** Absent: no time limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
  /** The value of `RUN_VARIABLE` in its environment. */
  readonly runId: string;
}

/**
 * Waits until a process that leads its own group exits, the time is up, or `signal` aborts. Then ends everything it started.
 * Resolves when none of its processes runs any more and the output is read. Never rejects.
 */
export async function followProcess(
  child: ChildProcess,
  { timeoutMs, signal, runId }: FollowOptions,
): Promise<ProcessEnding> {
  // At this moment the process surely exists, at least as a zombie.
  const since = child.pid === undefined ? undefined : startOf(child.pid);
  // Before any await, because both may happen at the next tick.
  const exit = waitForExit(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const why = await whicheverFirst(exit, timeoutMs, signal);

  let result: Exit | undefined;
  if (why === 'exited') {
    result = await exit;
    if (result.startError !== undefined) {
      return { exitCode: null, signalName: null, ended: 'failed_to_start', startError: result.startError };
    }
    await withinTime(closed, DRAIN_MS);
  }
  const { hadMembers, surviving } = await endTree(child, runId, since);
  result ??= await withinTime(exit, GIVE_UP_AFTER_MS);
  await withinTime(closed, DRAIN_MS);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  return {
    exitCode: result?.exitCode ?? null,
    signalName: result?.signalName ?? null,
    ended: why,
    ...(why === 'exited' && hadMembers ? { endedBackground: true } : {}),
    ...(surviving.length > 0 ? { surviving } : {}),
  };
}

interface Exit {
  readonly exitCode: number | null;
  readonly signalName: string | null;
  readonly startError?: string;
}

function waitForExit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, signalName: null, startError: error.message }));
    child.once('exit', (exitCode, signalName) => resolve({ exitCode, signalName }));
  });
}

async function whicheverFirst(
  exit: Promise<Exit>,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<'exited' | 'timed_out' | 'stopped'> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const timedOut = new Promise<'timed_out'>((resolve) => {
    if (timeoutMs !== undefined) timer = setTimeout(() => resolve('timed_out'), timeoutMs);
  });
  const stopped = new Promise<'stopped'>((resolve) => {
    stop = () => resolve('stopped');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([exit.then(() => 'exited' as const), timedOut, stopped]);
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
  }
}

async function endTree(child: ChildProcess, runId: string, since: string | undefined): Promise<TreeEnd> {
  if (process.platform === 'win32') return endWindowsTree(child);
  if (child.pid === undefined) return { hadMembers: false, surviving: [] };
  try {
    return await new ProcessTree({ leader: child.pid, runId, since }).end();
  } catch {
    // The list of processes cannot be read, so only the group can be ended.
    return { hadMembers: killGroup(child.pid), surviving: [] };
  }
}

function killGroup(pid: number): boolean {
  try {
    process.kill(-pid, 'SIGKILL');
    return true;
  } catch {
    // The group has ended.
    return false;
  }
}
