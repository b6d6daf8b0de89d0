import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Shows the output at once. Otherwise only an error shows the end of it. */
  readonly show?: boolean | undefined;
}

/** A command that ended with a code other than 0. `output` is the end of its output. */
export class CommandFailed extends Error {
  readonly output: string;

  constructor(command: string, reason: string, output: string) {
    super(`"${command}" ${reason}.${output === '' ? '' : `\n${output}`}`);
    this.name = 'CommandFailed';
    this.output = output;
  }
}

const keptOutput = 4000;

/** Runs a command to its end. Resolves to its standard output. Rejects with `CommandFailed`. */
export function runCommand(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    // On Windows npm is a script, which only the shell can start.
    const shell = process.platform === 'win32' && /\.(cmd|bat)$/i.test(command);
    const child = spawn(shell ? `"${command}"` : command, shell ? args.map((arg) => `"${arg}"`) : [...args], {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    // A signal to this process alone would leave the command running.
    const killOnExit = (): void => void child.kill();
    process.once('exit', killOnExit);
    let stdout = '';
    let everything = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      everything = (everything + text).slice(-keptOutput);
      if (options.show === true) process.stdout.write(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      everything = (everything + text).slice(-keptOutput);
      if (options.show === true) process.stderr.write(text);
    });
    const shown = [command, ...args].join(' ');
    child.on('error', (error) => reject(new CommandFailed(shown, `could not be started: ${error.message}`, '')));
    child.on('close', (code, signal) => {
      process.off('exit', killOnExit);
      if (code === 0) resolve(stdout);
      else reject(new CommandFailed(shown, `ended with ${signal ?? `code ${code}`}`, options.show ? '' : everything));
    });
  });
}

/** Starts a process as the leader of a new process group, so `endProcessGroup` reaches everything it starts. */
export function startProcessGroup(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd?: string | undefined;
    readonly env?: NodeJS.ProcessEnv | undefined;
    /** Piped by default; `inherit` for this process's own output, a number for an open file. */
    readonly output?: 'pipe' | 'inherit' | number | undefined;
  } = {},
): ChildProcess {
  const output = options.output ?? 'pipe';
  return spawn(command, [...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', output, output],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

const gracePeriodMs = 3000;

/** Ends a process of `startProcessGroup` with its children. Resolves when the process is gone. Safe to repeat. */
export async function endProcessGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode !== null || child.signalCode !== null) {
    signalGroup(pid, 'SIGKILL');
    return;
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  signalGroup(pid, 'SIGTERM');
  const forced = setTimeout(() => signalGroup(pid, 'SIGKILL'), gracePeriodMs);
  await ended;
  clearTimeout(forced);
  // The leader is gone; this ends the rest of its group.
  signalGroup(pid, 'SIGKILL');
}

/** The same for an exit handler, which cannot await. */
export function killProcessGroup(child: ChildProcess): void {
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
