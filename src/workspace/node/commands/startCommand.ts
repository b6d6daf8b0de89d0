import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import type { CommandOutcome, CommandRequest } from '../../ports';
import { commandEnvironment, confinedEnvironment } from './commandEnvironment';
import type { CommandOutput } from './commandOutput';
import type { NodeConfinement } from '../confinement/confinement';
import { followProcess, type ProcessEnding } from '../processes/followProcess';
import { RUN_VARIABLE } from '../processes/processTree';
import type { CommandRecords } from './commandRecords';
import type { Shell } from './shell';
import { messageOf } from '../../../util/errors';

/** What starting a command needs of this machine. */
export interface CommandMachine {
  readonly shell: Shell;
  /** What commands inherit, before `commandEnvironment`. */
  readonly environment: NodeJS.ProcessEnv;
  /** Absent: what is to be confined does not run. */
  readonly confinement?: NodeConfinement | undefined;
  /** Absent: nothing is found again after a crash. */
  readonly records?: CommandRecords | undefined;
}

type Start = Omit<CommandRequest, 'timeoutMs' | 'inTerminal'> & { readonly timeoutMs?: number | undefined };

export interface StartOptions {
  readonly machine: CommandMachine;
  /** Gets what the command prints and is finished. */
  readonly output: CommandOutput;
  readonly signal: AbortSignal;
  /** What the output ends with. */
  readonly lastWords?: ((ending: ProcessEnding) => string) | undefined;
}

/**
 * Runs one command as a child in a process group of its own, until nothing of it runs any more. Never rejects; what went
 * wrong is in the outcome.
 */
export async function startCommand(
  request: Start,
  { machine, output, signal, lastWords }: StartOptions,
): Promise<CommandOutcome> {
  const { shell, environment, confinement, records } = machine;
  const problem = (await findFolderProblem(request.cwd)) ?? (await findConfinementProblem(request, confinement));
  if (problem !== undefined) return failed(problem, output);
  if (signal.aborted) return { exitCode: null, signalName: null, ended: 'stopped', ...output.finish() };

  const runId = randomUUID();
  const plain = { file: shell.file, args: shell.args(request.command) };
  const isConfined = request.confinement !== undefined;
  const base = commandEnvironment(environment);
  let program: { readonly file: string; readonly args: readonly string[] } = plain;
  if (request.confinement && confinement) {
    try {
      program = confinement.wrap({ ...plain, cwd: request.cwd }, request.confinement);
    } catch (error) {
      return failed(messageOf(error), output);
    }
  }
  const child = spawn(program.file, program.args, {
    cwd: request.cwd,
    env: { ...(isConfined ? confinedEnvironment(base) : base), ...request.environment, [RUN_VARIABLE]: runId },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => output.append(bytes));
    // A pipe that breaks ends like one that is closed; the exit code tells the rest.
    stream.on('error', () => stream.destroy());
  }
  const { pid } = child;
  const { command, cwd } = request;
  const ended = pid === undefined ? () => {} : (records?.started({ runId, pid, command, cwd }) ?? (() => {}));
  const { startError, ...ending } = await followProcess(child, { timeoutMs: request.timeoutMs, signal, runId });
  ended();
  if (startError !== undefined) output.note(`${program.file} cannot be started: ${startError}`);
  if (lastWords) output.note(lastWords(ending));
  return { ...ending, ...output.finish() };
}

function failed(problem: string, output: CommandOutput): CommandOutcome {
  output.note(problem);
  return { exitCode: null, signalName: null, ended: 'failed_to_start', ...output.finish() };
}

async function findFolderProblem(cwd: string): Promise<string | undefined> {
  try {
    return (await fs.stat(cwd)).isDirectory() ? undefined : `${cwd} is not a folder.`;
  } catch (error) {
    return `The folder ${cwd} cannot be used: ${messageOf(error)}`;
  }
}

async function findConfinementProblem(
  { confinement }: Start,
  available: NodeConfinement | undefined,
): Promise<string | undefined> {
  if (!confinement) return undefined;
  const problem = available ? await available.findProblem() : 'nothing here can confine them.';
  return problem === undefined ? undefined : `Commands are to be confined, but ${problem}`;
}
