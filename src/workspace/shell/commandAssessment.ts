import type { CommandPlan, GuardedPath } from '../plans';
import type { FileSystem, Root } from '../ports';
import type { CommandDanger } from './dangers/findDangers';
import type { RunGit } from './gitSafety';
import type { CommandJudgement } from './judgeCommand';
import type { ShellName } from './parse/analysis';
import type { Grammars } from './parse/grammars';
import type { ReadOutput } from './readOutput';
import type { ResolvedProgram } from './resolveProgram';

/** What of a plan an assessment looks at. */
export type Assessed = Pick<CommandPlan, 'command' | 'cwd' | 'inTerminal'>;

export interface CommandWorld {
  readonly shell: ShellName;
  readonly grammars: Grammars;
  readonly roots: readonly Root[];
  readonly fileSystem: FileSystem;
  readonly runGit: RunGit;
  /** Absent: a command that depends on the output of another one asks. */
  readonly readOutput?: ReadOutput | undefined;
  /** PATH and PATHEXT as commands get them. */
  readonly searchPath: string;
  readonly extensions?: string | undefined;
  /** The real path of an executable file, or `undefined`. */
  readonly findExecutable: (absolute: string) => Promise<string | undefined>;
  /** Whether reading a file of the workspace needs a question. */
  readonly isProtected: (target: Pick<GuardedPath, 'displayPath' | 'pathInRoot' | 'alsoNamed'>) => boolean;
}

/** A judgement that also looked at programs, paths and the git repository as they are now. */
export interface CommandAssessment extends CommandJudgement {
  /** The program that each part starts, in their order, for the card. Empty for an opaque command. */
  readonly programs: readonly ResolvedProgram[];
  /** What a person must not overlook before the command runs. With any, it is not remembered. */
  readonly dangers: readonly CommandDanger[];
  /** The folder in which the parts run. Rules that allow are looked up for it, and remembered for it. */
  readonly folder: GuardedPath;
  /** With `allow`: variables to add to the command's environment, as part of the plan that runs. */
  readonly environment: Readonly<Record<string, string>>;
  /** It could not be assessed, so no rule was applied either. */
  readonly hasFailed?: true | undefined;
  /** With `allow`: the command with the files that its patterns matched, to run instead. Absent: it has no patterns. */
  readonly expanded?: string | undefined;
}
