import path from 'node:path';
import { guardPath } from '../paths/guardPath';
import type { CommandPlan, GuardedPath } from '../plans';
import type { FileSystem, Root } from '../ports';
import { findExposedBelow } from '../paths/exposedBelow';
import type { FolderReading } from '../paths/folderReading';
import { isInside } from '../paths/roots';
import { asksBecause, unsafe } from './commandReasons';
import type { CommandAnalysis, ShellName } from './parse/analysis';
import { judgeCommand, type CommandJudgement, type PartJudgement } from './judgeCommand';
import { rulesIn, type CommandRule } from './commandRules';
import { findGitProblem, gitEnvironment, type RunGit } from './gitSafety';
import type { Grammars } from './parse/grammars';
import { parseCommand } from './parse/parseCommand';
import { resolveProgram, type ResolvedProgram } from './resolveProgram';

export interface CommandWorld {
  readonly shell: ShellName;
  readonly grammars: Grammars;
  readonly roots: readonly Root[];
  readonly fileSystem: FileSystem;
  readonly runGit: RunGit;
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
  /** The folder in which the parts run. Rules that allow are looked up for it, and remembered for it. */
  readonly folder: GuardedPath;
  /** With `allow`: variables to add to the command's environment, as part of the plan that runs. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Decides whether a command may run unasked. A command that `judgeCommand` allows still asks in three cases: a program is
 * in the workspace, a path leads outside or to a protected file or to a folder with one, or a git repository could make git run something.
 * Rejects when programs or files cannot be looked at; the caller must ask then.
 */
export async function assessCommand(
  plan: Pick<CommandPlan, 'command' | 'cwd' | 'inTerminal'>,
  rules: readonly CommandRule[],
  world: CommandWorld,
): Promise<CommandAssessment> {
  const { shell, grammars, roots, fileSystem } = world;
  const analysis = await parseCommand(plan.command, shell, grammars);
  const entered = await enterFolder(analysis, plan.cwd, world);
  const folder = entered.ok ? entered.folder : plan.cwd;
  const judgement = judgeIn(folder, analysis, { shell, rules });
  const rootPaths = await Promise.all(roots.map(async (root) => (await fileSystem.realPath(root.path)) ?? root.path));
  const cwd = folder.realPath;
  const programs: ResolvedProgram[] = [];
  for (const { argv } of judgement.parts) {
    const { searchPath, extensions, findExecutable } = world;
    programs.push(
      await resolveProgram(argv[0] ?? '', { shell, cwd, searchPath, extensions, rootPaths, findExecutable }),
    );
  }
  const assessment = { ...judgement, folder, programs, environment: {} };
  const unsafeProgram = programs.find((program) => program.kind === 'unsafe')?.reason;
  if (judgement.action !== 'allow') {
    // An unsafe program asks each time, so remembering the command would be useless.
    return unsafeProgram === undefined ? assessment : { ...assessment, remember: { ok: false } };
  }

  const git = findGitCalls(judgement.parts, programs, rootPaths);
  const problem =
    (plan.inTerminal ? unsafe.inTerminal : undefined) ??
    (entered.ok ? undefined : entered.problem) ??
    unsafeProgram ??
    (await findReadProblem(judgement.parts, folder, world)) ??
    (await findRepositoryProblem(git, cwd, rootPaths, world));
  if (problem !== undefined) {
    const reason = asksBecause(problem);
    return { ...assessment, action: 'ask', reason, runsWorkspaceCode: false, remember: { ok: false } };
  }
  const isReadOnly = git.every(({ part }) => part.readOnly !== undefined);
  return { ...assessment, environment: git.length > 0 ? gitEnvironment({ isReadOnly }) : {} };
}

type Entered = { readonly ok: true; readonly folder: GuardedPath } | { readonly ok: false; readonly problem: string };

/**
 * The folder where the parts run, which a leading `cd` changes. After `||` and `;` a part also runs when `cd` failed, in the
 * folder before, so these are refused.
 */
async function enterFolder(analysis: CommandAnalysis, cwd: GuardedPath, world: CommandWorld): Promise<Entered> {
  if (analysis.kind === 'opaque' || analysis.folder === undefined) return { ok: true, folder: cwd };
  const name = analysis.folder;
  const guarded = await guardRead(name, cwd, world);
  if (typeof guarded === 'string') return { ok: false, problem: guarded };
  if (!(await isFolder(guarded, world))) return { ok: false, problem: unsafe.noFolder(name) };
  const loose = analysis.parts.find(({ separator }) => separator === ';' || separator === '||');
  return loose ? { ok: false, problem: unsafe.looseAfterFolder(loose.separator) } : { ok: true, folder: guarded };
}

/** Judges by the rules that hold in a folder. Says so if rules of other folders would allow the command. */
function judgeIn(
  folder: GuardedPath,
  analysis: CommandAnalysis,
  { shell, rules }: { readonly shell: ShellName; readonly rules: readonly CommandRule[] },
): CommandJudgement {
  const judgement = judgeCommand(analysis, { shell, rules: rulesIn(folder, rules) });
  if (judgement.action !== 'ask' || judgement.rule) return judgement;
  const elsewhere = judgeCommand(analysis, { shell, rules });
  return elsewhere.action === 'allow' ? { ...judgement, reason: asksBecause(unsafe.otherFolder) } : judgement;
}

interface GitCall {
  readonly part: PartJudgement;
  /** Absolute path of the git that the call starts. */
  readonly program: string;
}

/** The calls of git. A program named git in the workspace does not count. */
function findGitCalls(
  parts: readonly PartJudgement[],
  programs: readonly ResolvedProgram[],
  rootPaths: readonly string[],
): readonly GitCall[] {
  return parts.flatMap((part, index) => {
    const found = programs[index];
    const isGit = found?.kind === 'program' && /^(?:.*[\\/])?git(?:\.exe)?$/i.test(part.argv[0] ?? '');
    return isGit && !rootPaths.some((root) => isInside(found.path, root)) ? [{ part, program: found.path }] : [];
  });
}

async function findReadProblem(
  parts: readonly PartJudgement[],
  cwd: GuardedPath,
  world: CommandWorld,
): Promise<string | undefined> {
  for (const { readOnly } of parts) {
    for (const read of readOnly?.reads ?? []) {
      const guarded = await guardRead(read, cwd, world);
      if (typeof guarded === 'string') return guarded;
      // In the work tree, git follows a tracked folder that was replaced by a link.
      if (readOnly?.isRecursive && readOnly.git && (await isFolder(guarded, world))) return unsafe.readsFolder(read);
      // Git shows tracked files only, and `findGitProblem` looks at those.
      const exposed = readOnly?.git ? undefined : await findExposed(read, guarded, readOnly?.folders ?? {}, world);
      if (exposed !== undefined) return exposed;
    }
  }
  return undefined;
}

/** The path that a program opens by this word, or why it must not. Relative to the real folder, as programs see it. */
async function guardRead(
  read: string,
  cwd: GuardedPath,
  { roots, fileSystem, isProtected }: CommandWorld,
): Promise<GuardedPath | string> {
  // In `link/../x` the system goes up from the link's target, not from the link.
  if (/[^./\\][\\/]+\.\.(?:[\\/]|$)/.test(read)) return unsafe.leavesFolder(read);
  if (read.startsWith('~')) return unsafe.startsInHome(read);
  const guarded = await guardPath(path.resolve(cwd.realPath, read), { roots, fileSystem, outside: 'mark' });
  if (!guarded.ok) return guarded.error.replace(/\.$/, '');
  if (guarded.path.pathInRoot === null) return unsafe.isOutside(read);
  return isProtected(guarded.path) ? unsafe.isProtected(guarded.path.displayPath) : guarded.path;
}

async function isFolder({ realPath }: GuardedPath, { fileSystem }: CommandWorld): Promise<boolean> {
  return (await fileSystem.stat(realPath))?.kind === 'directory';
}

async function findExposed(
  read: string,
  target: GuardedPath,
  reading: FolderReading,
  world: CommandWorld,
): Promise<string | undefined> {
  if (reading.showsNamesOnly === true && reading.leavesLinks === true) return undefined;
  if (!(await isFolder(target, world))) return undefined;
  const exposed = await findExposedBelow(target, reading, world);
  switch (exposed?.kind) {
    case undefined:
      return undefined;
    case 'protected':
      return unsafe.contains(read, exposed.path);
    case 'outside':
      return unsafe.leadsOutside(read, exposed.path);
    case 'too many files':
      return unsafe.hasTooManyFiles(read);
  }
}

async function findRepositoryProblem(
  git: readonly GitCall[],
  cwd: string,
  rootPaths: readonly string[],
  { runGit, isProtected }: CommandWorld,
): Promise<string | undefined> {
  const [first] = git;
  if (!first) return undefined;
  const showsContent = git.some(({ part }) => part.readOnly?.git?.showsContent === true);
  const isProtectedFile = (file: string): boolean => isProtected({ displayPath: file, pathInRoot: file });
  const check = { program: first.program, cwd, rootPaths, runGit, isProtected: isProtectedFile };
  return findGitProblem(check, { showsContent });
}
