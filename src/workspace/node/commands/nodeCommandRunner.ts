import type { CommandRunner } from '../../ports';
import { CommandOutput } from './commandOutput';
import type { NodeConfinement } from '../confinement/confinement';
import type { OutputFolder } from './outputFolder';
import type { CommandRecords } from './commandRecords';
import { findShell, type Shell } from './shell';
import { startCommand, type CommandMachine } from './startCommand';

export interface NodeCommandOptions {
  /** Default: bash, else sh; PowerShell on Windows. */
  readonly shell?: Shell | undefined;
  /** What commands inherit, before `commandEnvironment`. Default: this process's own. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** UTF-16 units of output kept at each end. Default 8,000. */
  readonly maxHead?: number | undefined;
  readonly maxTail?: number | undefined;
  /** Where the whole of a longer output goes. Absent: nowhere. */
  readonly outputs?: OutputFolder | undefined;
  /** Absent: what is to be confined does not run. */
  readonly confinement?: NodeConfinement | undefined;
  /** Absent: nothing is found again after a crash. */
  readonly records?: CommandRecords | undefined;
}

/** Commands as child processes of this one, each in a process group of its own. None is shown in a terminal. */
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
  const { shell = findShell(), environment = process.env, confinement, records } = options;
  return { shell, environment, confinement, records };
}
