import path from 'node:path';
import type { CommandPlan, GuardedPath } from '../plans';
import type { FileSystem, Root } from '../ports';
import { isInside } from '../paths/roots';
import type { GitReading } from './allowedUnasked/profile';
import { isKnownReader } from './allowedUnasked/readOnlyCall';
import { findReadProblem, guardRead, isFolder } from './checkReads';
import { callsBehind } from './callsBehind';
import { asksBecause, unsafe } from './commandReasons';
import type { CommandAnalysis, PatternedCommand, ShellName } from './parse/analysis';
import { callsOf, judgeCommand, type CommandJudgement, type PartJudgement, type Rememberable } from './judgeCommand';
import { rulesIn, type CommandRule } from './commandRules';
import { findGitProblem, gitEnvironment, placeOfGit, type GitCheck, type RunGit } from './gitSafety';
import type { ReadOutput } from './readOutput';
import { findDangers, redirectsOf, type CommandDanger } from './dangers/findDangers';
import type { Grammars } from './parse/grammars';
import { findPosixCalls } from './parse/posixTree';
import { parseCommand, type ParseOptions } from './parse/parseCommand';
import { expandPatterns } from './patterns/expandPatterns';
import { namesContent, repeatsContent, showsContent, wordsIn } from './spellOut/contents';
import { MAX_WRITTEN, spellOut } from './spellOut/spellOut';
import { resolveProgram, type ResolvedProgram } from './resolveProgram';
import { isDecidedByFolder } from './versionManagers';

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

/**
 * Decides whether a command may run unasked. A command that `judgeCommand` allows still asks in three cases: a program
 * is in the workspace, a path leads outside or to a protected file or to a folder with one, or a git repository could
 * make git run something. File patterns are replaced first. Rejects when programs or files cannot be looked at; the
 * caller must ask then.
 */
export async function assessCommand(
  plan: Pick<CommandPlan, 'command' | 'cwd' | 'inTerminal'>,
  rules: readonly CommandRule[],
  world: CommandWorld,
): Promise<CommandAssessment> {
  return assess(plan, rules, world, {
    outputs: MAX_OUTPUTS,
    depth: 0,
    endsMs: performance.now() + MAX_OUTPUT_MS,
    contents: new Set(),
  });
}

type Assessed = Pick<CommandPlan, 'command' | 'cwd' | 'inTerminal'>;

/** How many commands may run to find out what one stands for. */
const MAX_OUTPUTS = 60;
const MAX_OUTPUT_MS = 10_000;
/** How deep such commands may need the output of others. */
const MAX_DEPTH = 6;

interface OutputBudget {
  outputs: number;
  /** How many commands wait for the output of another one. */
  depth: number;
  /** By `performance.now()`. */
  readonly endsMs: number;
  /** Words that were the content of files. */
  readonly contents: Set<string>;
}

async function assess(
  plan: Assessed,
  rules: readonly CommandRule[],
  world: CommandWorld,
  budget: OutputBudget,
): Promise<CommandAssessment> {
  const asWritten = await assessWritten(plan, rules, world);
  if (asWritten.action !== 'ask' || asWritten.rule || plan.inTerminal) return asWritten;
  return assessSpelledOut(plan, asWritten, { rules, world, budget });
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
 * Assesses a command in other words: loops written out, `xargs`, `find -exec` and `$(…)` replaced by what they stand for. If
 * all of that only reads, it runs in the place of the command. Commands whose output is needed for it run before, if they only
 * read and would run unasked by themselves.
 */
async function assessSpelledOut(
  plan: Assessed,
  asWritten: CommandAssessment,
  {
    rules,
    world,
    budget,
  }: { readonly rules: readonly CommandRule[]; readonly world: CommandWorld; readonly budget: OutputBudget },
): Promise<CommandAssessment> {
  if ((world.shell !== 'bash' && world.shell !== 'sh') || plan.command.length > MAX_WRITTEN) return asWritten;
  let restricted: CommandAssessment | undefined;
  const isUnasked = (assessment: CommandAssessment): boolean => {
    if (assessment.rule && assessment.rule.effect !== 'allow') restricted ??= assessment;
    const onlyReads = assessment.parts.every(({ readOnly }) => readOnly !== undefined);
    const isAllowed = assessment.action === 'allow' && onlyReads && !assessment.runsWorkspaceCode;
    return isAllowed && !namesContent(assessment.parts, budget.contents);
  };
  const evaluate = async (command: string): Promise<string | undefined> => {
    budget.outputs -= 1;
    if (!world.readOutput || budget.outputs < 0 || performance.now() > budget.endsMs) return undefined;
    if (budget.depth >= MAX_DEPTH) return undefined;
    budget.depth += 1;
    const assessment = await assess({ ...plan, command }, rules, world, budget);
    budget.depth -= 1;
    // It would only make the decision wait.
    if (!isUnasked(assessment) || assessment.parts.some(({ argv }) => argv.includes('sleep'))) return undefined;
    const { environment, expanded = command } = assessment;
    const output = await world.readOutput({ command: expanded, cwd: plan.cwd.realPath, environment });
    const { parts } = assessment;
    if (output !== undefined && (parts.some(showsContent) || repeatsContent(parts, budget.contents)))
      for (const word of wordsIn(output)) budget.contents.add(word);
    return output;
  };
  const grammar = await world.grammars.load('bash');
  // Otherwise it asks in any case, so nothing runs for it.
  const mayOnlyRead = grammar.parse(plan.command, findPosixCalls).every(([name = '']) => mayBeSpelledOut(name));
  const command = mayOnlyRead ? await spellOut(plan.command, grammar, evaluate) : undefined;
  const assessment =
    command === undefined ? undefined : await assessWritten({ ...plan, command }, rules, world, { isSpelledOut: true });
  if (assessment && isUnasked(assessment)) return { ...assessment, expanded: assessment.expanded ?? command };
  if (!restricted) return asWritten;
  const { action, reason, rule } = restricted;
  return { ...asWritten, action, reason, rule };
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
  { command, ...plan }: Pick<CommandPlan, 'command' | 'cwd' | 'inTerminal'>,
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

/** Programs that only read, those that are replaced by what they start, and names that are not known yet. */
function mayBeSpelledOut(name: string): boolean {
  return isKnownReader(name) || /^(?:cd|read|xargs|bash|sh)$|\$/.test(name);
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
