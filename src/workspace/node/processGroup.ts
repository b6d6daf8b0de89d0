import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { CommandOutcome } from '../ports';

/** How a process ended, without its output. `startError` goes with `failed_to_start`. */
export type ProcessEnding = Omit<CommandOutcome, 'output' | 'omittedBytes'> & { readonly startError?: string };

/** How long a process group has to end itself after TERM. */
const KILL_AFTER_MS = 2000;
/** How long output is still read once the process has ended: something in the background may hold the pipe open. */
const DRAIN_MS = 500;
/** A process that survives KILL hangs in the kernel and is left to itself. */
const GIVE_UP_AFTER_MS = 1000;
const POLL_MS = 50;

/**
 * Waits for a process that leads its own group, and ends the whole group when time is up or `signal` aborts. Resolves
 * when nothing of the group runs any more and the output has been read. Never rejects.
 */
export async function followProcess(
  child: ChildProcess,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ProcessEnding> {
  // Before anything is awaited: both may happen at the next tick.
  const exit = waitForExit(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const why = await whicheverFirst(exit, timeoutMs, signal);

  let result: Exit | undefined;
  if (why === 'exited') {
    result = await exit;
    if (result.startError !== undefined) {
      return { exitCode: null, signalName: null, ended: 'failed_to_start', startError: result.startError };
    }
    await Promise.race([closed, delay(DRAIN_MS)]);
  }
  const hadMembers = await endGroup(child);
  result ??= await Promise.race([exit, delay(GIVE_UP_AFTER_MS).then(() => undefined)]);
  await Promise.race([closed, delay(DRAIN_MS)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  return {
    exitCode: result?.exitCode ?? null,
    signalName: result?.signalName ?? null,
    ended: why,
    ...(why === 'exited' && hadMembers ? { endedBackground: true } : {}),
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
  timeoutMs: number,
  signal: AbortSignal,
): Promise<'exited' | 'timed_out' | 'stopped'> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const timedOut = new Promise<'timed_out'>((resolve) => {
    timer = setTimeout(() => resolve('timed_out'), timeoutMs);
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

/** Ends what is left of the group: TERM, and KILL for what is still there after a while. Says whether there was anything. */
async function endGroup(child: ChildProcess): Promise<boolean> {
  const { pid } = child;
  if (pid === undefined) return false;
  if (process.platform === 'win32') return endWindowsTree(child, pid);
  if (!isGroupAlive(pid)) return false;
  signalGroup(pid, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < KILL_AFTER_MS; waitedMs += POLL_MS) {
    await delay(POLL_MS);
    if (!isGroupAlive(pid)) return true;
  }
  signalGroup(pid, 'SIGKILL');
  return true;
}

/**
 * Whether something of the group still runs. In a container whose first process collects nobody, orphans stay behind as
 * zombies that can be signalled for ever; Linux says which ones those are.
 */
function isGroupAlive(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // "pid (name) state parent group …"; the name may hold anything, so what follows its last bracket counts.
      const [state, , group] = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
      return group === String(pid) && state !== 'Z';
    } catch {
      // It ended between the listing and the reading.
      return false;
    }
  });
}

/** Whether the group had a process to send it to. */
function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, name);
    return true;
  } catch (error) {
    // EPERM: something is there that changed its user, such as a `sudo`; it is out of our reach.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM')
      throw error;
    return false;
  }
}

/** Windows has no process groups to signal; its own tool follows the tree of a process that still runs. */
async function endWindowsTree(child: ChildProcess, pid: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  await new Promise<void>((resolve) => {
    const taskkill = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    taskkill.once('error', () => resolve());
    taskkill.once('exit', () => resolve());
  });
  return true;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
