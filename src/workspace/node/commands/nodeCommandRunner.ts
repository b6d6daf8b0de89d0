import type { CommandRunner } from '../../ports';
import type { PassedVariables } from './commandEnvironment';
import { CommandOutput } from './commandOutput';
import type { NodeConfinement } from '../confinement/confinement';
import type { OutputFolder } from './outputFolder';
import type { CommandRecords } from './commandRecords';
import { findShell, type Shell } from './shell';
import { startCommand, type CommandMachine } from './startCommand';

export interface NodeCommandOptions {
  /** Default: bash, else sh; PowerShell on Windows. */
  readonly shell?: Shell | undefined;
  /** The environment that commands inherit, before `commandEnvironment`. Default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Variables to pass on although they look like secrets; read for each command. Default: none. */
  readonly passedVariables?: (() => PassedVariables) | undefined;
  /** UTF-16 units of output kept at each end. Default 8,000. */
  readonly maxHead?: number | undefined;
  readonly maxTail?: number | undefined;
  /** Stores the whole of a longer output. Absent: not stored. */
  readonly outputs?: OutputFolder | undefined;
  /** Absent: commands that must be confined do not run. */
  readonly confinement?: NodeConfinement | undefined;
  /** Absent: commands are not found again after a crash. */
  readonly records?: CommandRecords | undefined;
}

/** Runs commands as child processes, each in its own process group. Shows none in a terminal. */
export function createNodeCommandRunner(options: NodeCommandOptions = {}): CommandRunner {
  const machine = machineOf(options);
  const { maxHead = 8000, maxTail = 8000, outputs } = options;
  return {
    shellName: machine.shell.name,
    run(request, { signal, onOutput }) {
      const output = new CommandOutput({ maxHead, maxTail, folder: outputs, onText: onOutput });
      return startCommand(request, { machine, output, signal });
    },
  };
}

export function machineOf(options: NodeCommandOptions): CommandMachine {
  const { shell = findShell(), environment = process.env, passedVariables = () => [], confinement, records } = options;
  return { shell, environment, passedVariables, confinement, records };
}
