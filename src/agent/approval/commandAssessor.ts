import type { CommandPlan } from '../../workspace/plans';
import type { Root, WorkspacePorts } from '../../workspace/ports';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import { foldersOnDisk } from '../../workspace/paths/roots';
import type { ShellName } from '../../workspace/shell/parse/analysis';
import { assessCommand } from '../../workspace/shell/assessCommand';
import type { CommandAssessment, CommandWorld } from '../../workspace/shell/commandAssessment';
import type { CommandRule } from '../../workspace/shell/commandRules';
import type { Grammars } from '../../workspace/shell/parse/grammars';

/** The parts of the machine that the assessment of commands needs; see `createNodeCommandWorld`. */
export type CommandMachine = Pick<
  CommandWorld,
  'runGit' | 'readOutput' | 'searchPath' | 'extensions' | 'findExecutable'
>;

/** Assesses a prepared command by the current rules. Rejects when it cannot; the command then has to ask. */
export type AssessCommand = (
  plan: CommandPlan,
  rules: readonly CommandRule[],
  options?: {
    /** Commands that only read may run to find out what the command stands for. Default: true. */
    readonly mayRun?: boolean | undefined;
  },
) => Promise<CommandAssessment>;

export interface CommandAssessorParts {
  readonly machine: CommandMachine;
  readonly ports: Pick<WorkspacePorts, 'commandRunner' | 'fileSystem'>;
  readonly roots: () => readonly Root[];
  /** Loaded with the first command. */
  readonly grammars: Grammars;
}

/** Assesses commands as this machine would run them. */
export function createCommandAssessor({ machine, ports, roots, grammars }: CommandAssessorParts): AssessCommand {
  const { readOutput, ...lookedAt } = machine;
  return async (plan, rules, { mayRun = true } = {}) => {
    const shell = shellNamed(ports.commandRunner.shellName);
    if (shell === undefined) throw new Error(`Commands of ${ports.commandRunner.shellName} cannot be analysed.`);
    return assessCommand(plan, rules, {
      ...lookedAt,
      ...(mayRun && { readOutput }),
      shell,
      grammars,
      roots: foldersOnDisk(roots()),
      fileSystem: ports.fileSystem,
      isProtected: isReadingProtected,
    });
  };
}

/** `undefined`: its commands cannot be analysed. */
export function shellNamed(name: string): ShellName | undefined {
  return (['bash', 'sh', 'powershell', 'cmd'] as const).find((known) => known === name);
}
