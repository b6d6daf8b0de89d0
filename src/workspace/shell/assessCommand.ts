import path from 'node:path';
import type { GuardedPath } from '../plans';
import { isInside } from '../paths/roots';
import type { GitReading } from './allowedUnasked/profile';
import { findReadProblem, guardRead, isFolder } from './checkReads';
import { callsBehind } from './callsBehind';
import type { Assessed, CommandAssessment, CommandWorld } from './commandAssessment';
import { asksBecause, unsafe } from './commandReasons';
import type { CommandAnalysis, PatternedCommand, ShellName } from './parse/analysis';
import { callsOf, judgeCommand, type CommandJudgement, type PartJudgement, type Rememberable } from './judgeCommand';
import { rulesIn, type CommandRule } from './commandRules';
import { findGitProblem, gitEnvironment, placeOfGit, type GitCheck } from './gitSafety';
import { findDangers, redirectsOf } from './dangers/findDangers';
import { parseCommand, type ParseOptions } from './parse/parseCommand';
import { expandPatterns } from './patterns/expandPatterns';
import { assessSpelledOut, newBudget, type OutputBudget } from './spellOut/assessSpelledOut';
import { resolveProgram, type ResolvedProgram } from './resolveProgram';
import { isDecidedByFolder } from './versionManagers';

/**
 * Decides whether a command may run unasked. A command that `judgeCommand` allows still asks in three cases: a program
 * is in the workspace, a path leads outside or to a protected file or to a folder with one, or a git repository could
 * make git run something. File patterns are replaced first. Rejects when programs or files cannot be looked at; the
 * caller must ask then.
 */
export async function assessCommand(
  plan: Assessed,
  rules: readonly CommandRule[],
  world: CommandWorld,
): Promise<CommandAssessment> {
  return assess(plan, rules, world, newBudget());
}

async function assess(
  plan: Assessed,
  rules: readonly CommandRule[],
  world: CommandWorld,
  budget: OutputBudget,
): Promise<CommandAssessment> {
  const asWritten = await assessWritten(plan, rules, world);
  if (asWritten.action !== 'ask' || asWritten.rule || plan.inTerminal) return asWritten;
  return assessSpelledOut(plan, asWritten, { rules, world, budget, assess, assessWritten });
}

async function assessWritten(
  plan: Assessed,
  rules: readonly CommandRule[],
  world: CommandWorld,
  options: ParseOptions = {},
): Promise<CommandAssessment> {
  const analysis = await parseCommand(plan.command, world.shell, world.grammars, options);
  const assessment = await assessAnalysis(plan, analysis, rules, world);
  if (analysis.kind === 'plain' || assessment.rule || assessment.action === 'deny' || plan.inTerminal)
    return assessment;
  const { patterned } = analysis;
  return patterned ? assessExpanded(plan, { patterned, asWritten: assessment }, { rules, world, options }) : assessment;
}

/**
 * Assesses a command with its file patterns replaced. If it may run, that is what must run: files can appear meanwhile, and
 * shells match in different ways. Otherwise the command asks as it is written.
 */
async function assessExpanded(
  plan: Assessed,
  { patterned, asWritten }: { readonly patterned: PatternedCommand; readonly asWritten: CommandAssessment },
  {
    rules,
    world,
    options,
  }: { readonly rules: readonly CommandRule[]; readonly world: CommandWorld; readonly options: ParseOptions },
): Promise<CommandAssessment> {
  const ask = (problem: string): CommandAssessment => ({ ...asWritten, reason: asksBecause(problem) });
  const entered = await enterFolder({ kind: 'plain', parts: [], folder: patterned.folder }, plan.cwd, world);
  if (!entered.ok) return ask(entered.problem);
  const expansion = await expandPatterns(patterned, entered.folder, world);
  if (!expansion.ok) return ask(expansion.problem);
  const { command, words } = expansion;
  const analysis = await parseCommand(command, world.shell, world.grammars, options);
  if (analysis.kind === 'opaque') return ask(unsafe.matchesUnreadable(analysis.reason));
  if (JSON.stringify(callsOf(analysis).flat()) !== JSON.stringify(words)) return asWritten;
  const assessment = await assessAnalysis(plan, analysis, rules, world);
  if (assessment.action === 'allow') return { ...assessment, expanded: command };
  const { action, reason, rule, parts } = assessment;
  // A list of many names is no better reason than the pattern.
  const isAboutFiles = rule !== undefined || parts.every((part) => part.action === 'allow');
  return { ...asWritten, action, rule, ...(isAboutFiles && { reason }) };
}

async function assessAnalysis(
  { command, ...plan }: Assessed,
  analysis: CommandAnalysis,
  rules: readonly CommandRule[],
  world: CommandWorld,
): Promise<CommandAssessment> {
  const { shell, roots, fileSystem } = world;
  const entered = await enterFolder(analysis, plan.cwd, world);
  const folder = entered.ok ? entered.folder : plan.cwd;
  const judgement = judgeIn(folder, analysis, { shell, rules });
  const rootPaths = await Promise.all(roots.map(async (root) => (await fileSystem.realPath(root.path)) ?? root.path));
  const cwd = folder.realPath;
  const { searchPath, extensions, findExecutable } = world;
  const resolved = new Map<string, Promise<ResolvedProgram>>();
  const resolve = (name: string): Promise<ResolvedProgram> => {
    const found =
      resolved.get(name) ?? resolveProgram(name, { shell, cwd, searchPath, extensions, rootPaths, findExecutable });
    resolved.set(name, found);
    return found;
  };
  const programs: ResolvedProgram[] = [];
  for (const { argv } of judgement.parts) programs.push(await resolve(argv[0] ?? ''));
  // The calls with those that they start in turn, such as the one behind `timeout 5`.
  const started: StartedCall[] = judgement.parts.map((part, index) => ({ part, found: programs[index] }));
  for (const part of judgement.parts) {
    const name = part.readOnly?.starts;
    if (name !== undefined) started.push({ part: { ...part, argv: [name] }, found: await resolve(name) });
    const behind = part.readOnly ? undefined : callsBehind(part.argv).find(([first]) => first !== part.argv[0]);
    if (behind) started.push({ part: { ...part, argv: behind }, found: await resolve(behind[0] ?? '') });
  }
  const calls = analysis.kind === 'plain' ? callsOf(analysis) : [...analysis.seen, ...redirectsOf(command)];
  const place = { folder: cwd, roots: [...rootPaths, ...roots.map((root) => root.path)] };
  const dangers = findDangers(calls, place);
  const remember = dangers.length === 0 ? judgement.remember : ({ ok: false } as const);
  const assessment = { ...judgement, remember, folder, programs, dangers, environment: {} };
  const unsafeProgram = started.map(({ found }) => found).find((found) => found?.kind === 'unsafe')?.reason;
  if (judgement.action !== 'allow') {
    // An unsafe program asks each time, so remembering the command would be useless.
    return unsafeProgram === undefined ? assessment : { ...assessment, remember: { ok: false } };
  }

  const asks = (problem: string, remembered: Rememberable = { ok: false }): CommandAssessment => {
    const reason = asksBecause(problem);
    return { ...assessment, action: 'ask', reason, runsWorkspaceCode: false, remember: remembered };
  };
  const problem =
    (plan.inTerminal ? unsafe.inTerminal : undefined) ??
    (entered.ok ? undefined : entered.problem) ??
    unsafeProgram ??
    (await findReadProblem(
      judgement.parts.map(({ readOnly }) => readOnly),
      folder,
      world,
    ));
  if (problem !== undefined) return asks(problem);

  const managed: PartJudgement[] = [];
  for (const { part, found } of started) {
    const decides = found?.kind === 'program' ? found.folderDecides : undefined;
    if (decides && (await isDecidedByFolder(decides, { cwd, rootPaths, fileSystem }))) managed.push(part);
  }
  const unallowed = managed.filter(({ rule }) => rule === undefined).map(({ argv }) => argv);
  if (unallowed.length > 0) {
    return asks(
      unsafe.ofVersionManager(unallowed[0]?.[0] ?? ''),
      dangers.length === 0 ? { ok: true, calls: unallowed } : undefined,
    );
  }

  // Starts git, so this comes last.
  const git = findGitCalls(started, rootPaths);
  const repositoryProblem = await findRepositoryProblem(git, cwd, rootPaths, world);
  if (repositoryProblem !== undefined) return asks(repositoryProblem);
  const isReadOnly = git.every(({ part }) => part.readOnly !== undefined);
  return {
    ...assessment,
    runsWorkspaceCode: judgement.runsWorkspaceCode || managed.length > 0,
    environment: git.length > 0 ? gitEnvironment({ isReadOnly }) : {},
  };
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
  const loose = analysis.parts.find(({ separator, isInner }) => !isInner && /^(?:;|\|\|)$/.test(separator));
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

/** A call, or one that it starts in turn, with the program. */
interface StartedCall {
  readonly part: PartJudgement;
  readonly found: ResolvedProgram | undefined;
}

/** The calls of git. A program named git in the workspace does not count. */
function findGitCalls(started: readonly StartedCall[], rootPaths: readonly string[]): readonly GitCall[] {
  return started.flatMap(({ part, found }) => {
    const isGit = found?.kind === 'program' && /^(?:.*[\\/])?git(?:\.exe)?$/i.test(part.argv[0] ?? '');
    return isGit && !rootPaths.some((root) => isInside(found.path, root)) ? [{ part, program: found.path }] : [];
  });
}

async function findRepositoryProblem(
  git: readonly GitCall[],
  cwd: string,
  rootPaths: readonly string[],
  { runGit, isProtected, fileSystem }: CommandWorld,
): Promise<string | undefined> {
  const [first] = git;
  if (!first) return undefined;
  const isProtectedFile: GitCheck['isProtected'] = (file, alsoNamed) =>
    isProtected({ displayPath: file, pathInRoot: file, ...(alsoNamed && { alsoNamed }) });
  const readings: GitReading[] = [];
  for (const { part } of git) {
    const reading = part.readOnly?.git ?? placeOfGit(part.argv);
    if (typeof reading === 'string') return reading;
    readings.push(reading);
  }
  for (const folder of new Set(readings.map((reading) => reading.folder))) {
    const place = folder === undefined ? cwd : await fileSystem.realPath(path.resolve(cwd, folder));
    if (place === undefined) return unsafe.noFolder(folder ?? '.');
    const here = readings.filter((reading) => reading.folder === folder);
    const check = { program: first.program, cwd: place, rootPaths, runGit, isProtected: isProtectedFile, fileSystem };
    const problem = await findGitProblem(check, {
      showsContent: here.some(({ showsContent }) => showsContent),
      readsWorkTree: here.some(({ readsWorkTree }) => readsWorkTree === true),
      readsChanges: here.some(({ readsChanges }) => readsChanges === true),
      showsReflog: here.some(({ showsReflog }) => showsReflog === true),
    });
    if (problem !== undefined) return problem;
  }
  return undefined;
}
