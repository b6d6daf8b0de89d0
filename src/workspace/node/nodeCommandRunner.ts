import { spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import type { CommandOutcome, CommandRequest, CommandRunner } from '../ports';
import { BoundedOutput } from './boundedOutput';
import { followProcess } from './processGroup';
import { commandEnvironment } from './commandEnvironment';
import { findShell, type Shell } from './shell';

export interface NodeCommandRunnerOptions {
  /** Default: bash, else sh; PowerShell on Windows. */
  readonly shell?: Shell | undefined;
  /** What commands inherit, before `commandEnvironment`. Default: this process's own. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** UTF-16 units of output kept at each end. Default 8,000. */
  readonly maxHead?: number | undefined;
  readonly maxTail?: number | undefined;
}

/** Commands as child processes of this one, each in a process group of its own. */
export function createNodeCommandRunner(options: NodeCommandRunnerOptions = {}): CommandRunner {
  const { shell = findShell(), environment = process.env, maxHead = 8000, maxTail = 8000 } = options;
  return {
    shellName: shell.name,
    async run(request, { signal, onOutput }) {
      const problem = await findStartProblem(request, signal);
      if (problem) return problem;
      const output = new BoundedOutput({ maxHead, maxTail });
      const child = spawn(shell.file, shell.args(request.command), {
        cwd: request.cwd,
        env: { ...commandEnvironment(environment), ...request.environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8');
        stream.on('data', (text: string) => {
          output.append(text);
          onOutput(text);
        });
        // A pipe that breaks ends like one that is closed; the exit code tells the rest.
        stream.on('error', () => stream.destroy());
      }
      const { startError, ...ending } = await followProcess(child, { timeoutMs: request.timeoutMs, signal });
      if (startError !== undefined) output.append(`${shell.file} cannot be started: ${startError}`);
      return { ...ending, ...output.finish() };
    },
  };
}

async function findStartProblem(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome | undefined> {
  const none = { exitCode: null, signalName: null, omittedBytes: 0 };
  try {
    const stats = await fs.stat(request.cwd);
    if (!stats.isDirectory()) return { ...none, ended: 'failed_to_start', output: `${request.cwd} is not a folder.` };
  } catch (error) {
    return {
      ...none,
      ended: 'failed_to_start',
      output: `The folder ${request.cwd} cannot be used: ${messageOf(error)}`,
    };
  }
  return signal.aborted ? { ...none, ended: 'stopped', output: '' } : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
