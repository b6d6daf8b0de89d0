import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import type { CommandOutcome, CommandRequest } from '../../ports';
import { commandEnvironment, confinedEnvironment, withheldVariables, type PassedVariables } from './commandEnvironment';
import type { CommandOutput } from './commandOutput';
import { sendFilter, type ConfinedProgram, type NodeConfinement } from '../confinement/confinement';
import { followProcess, type ProcessEnding } from '../processes/followProcess';
import { RUN_VARIABLE } from '../processes/processTree';
import type { CommandRecords } from './commandRecords';
import type { Shell } from './shell';
import { messageOf } from '../../../util/errors';
import { mentionedVariables } from './mentionedVariables';

/** The parts of this machine that starting a command needs. */
export interface CommandMachine {
  readonly shell: Shell;
  /** The environment that commands inherit, before `commandEnvironment`. */
  readonly environment: NodeJS.ProcessEnv;
  /** Variables to pass on although they look like secrets; read for each command. */
  readonly passedVariables: () => PassedVariables;
  /** Absent: commands that must be confined do not run. */
  readonly confinement?: NodeConfinement | undefined;
  /** Absent: commands are not found again after a crash. */
  readonly records?: CommandRecords | undefined;
}

const MAX_SET_ASIDE = 20;

type Start = Omit<CommandRequest, 'timeoutMs' | 'inTerminal'> & { readonly timeoutMs?: number | undefined };

export interface StartOptions {
  readonly machine: CommandMachine;
  /** Gets the output of the command. `startCommand` finishes it. */
  readonly output: CommandOutput;
  readonly signal: AbortSignal;
  /** The last line of the output. */
  readonly lastWords?: ((ending: ProcessEnding) => string) | undefined;
}

/**
 * Runs one command as a child in its own process group, until none of its processes runs any more. Never rejects: errors are
 * in the outcome.
 */
export async function startCommand(
  request: Start,
  { machine, output, signal, lastWords }: StartOptions,
): Promise<CommandOutcome> {
  const { shell, environment, passedVariables, confinement, records } = machine;
  const problem = (await findFolderProblem(request.cwd)) ?? (await findConfinementProblem(request, confinement));
  if (problem !== undefined) return failed(problem, output);
  if (signal.aborted) return stopped(output);

  const runId = randomUUID();
  const plain = { file: shell.file, args: shell.args(request.command) };
  const isConfined = request.confinement !== undefined;
  const passed = passedVariables();
  const base = commandEnvironment(environment, passed);
  const guard = new SetAsideLimit((line) => output.note(line));
  let program: Omit<ConfinedProgram, 'filter' | 'end'> & Partial<ConfinedProgram> = plain;
  if (request.confinement && confinement) {
    try {
      program = await confinement.begin({ ...plain, cwd: request.cwd }, request.confinement, guard);
    } catch (error) {
      return failed(messageOf(error), output);
    }
  }
  const { command, cwd } = request;
  const record = await records?.starting({ runId, command, cwd });
  const end = async (): Promise<void> => {
    await program.end?.();
    record?.ended();
  };
  if (signal.aborted) {
    await end();
    return stopped(output);
  }
  let child: ChildProcess;
  try {
    child = spawn(program.file, program.args, {
      cwd,
      env: { ...(isConfined ? confinedEnvironment(base) : base), ...request.environment, [RUN_VARIABLE]: runId },
      stdio: ['ignore', 'pipe', 'pipe', ...(program.filter ? ['pipe' as const] : [])],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    // Most problems are events. A command that is too long for the system is not.
    await end();
    return failed(`${program.file} cannot be started: ${messageOf(error)}`, output);
  }
  if (program.filter) sendFilter(child, program.filter);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => output.append(bytes));
    // A broken pipe is treated like a closed one.
    stream?.on('error', () => stream.destroy());
  }
  if (child.pid !== undefined) record?.started(child.pid);
  const { startError, ...ending } = await followProcess(child, {
    timeoutMs: request.timeoutMs,
    signal: AbortSignal.any([signal, guard.signal]),
    runId,
  });
  await end();
  if (startError !== undefined) output.note(`${program.file} cannot be started: ${startError}`);
  if (lastWords) output.note(lastWords(ending));
  const finished = output.finish();
  const withheld = mentionedVariables(withheldVariables(environment, passed), [command, finished.output]);
  return { ...ending, ...finished, ...(withheld.length > 0 && { withheld }) };
}

/** Ends a command that goes on creating files that have to be set aside. */
class SetAsideLimit {
  readonly #controller = new AbortController();
  readonly #onLine: (line: string) => void;
  #left = MAX_SET_ASIDE;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly onSetAside = (line: string): void => {
    this.#left -= 1;
    if (this.#left >= 0) this.#onLine(`\n${line}\n`);
    if (this.#left > 0 || this.signal.aborted) return;
    this.#onLine('\n[The command was ended, because it went on creating such files.]\n');
    this.#controller.abort();
  };
}

function stopped(output: CommandOutput): CommandOutcome {
  return { exitCode: null, signalName: null, ended: 'stopped', ...output.finish() };
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
  const problem = available ? await available.findProblem() : 'this is not possible here.';
  return problem === undefined ? undefined : `Commands must be confined, but ${problem}`;
}
