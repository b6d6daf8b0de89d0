import type { Assessed, CommandAssessment, CommandWorld } from '../commandAssessment';
import { quoteWord, type CommandRule } from '../commandRules';
import { isKnownReader } from '../allowedUnasked/readOnlyCall';
import { findPosixCalls } from '../parse/posixTree';
import type { ParseOptions } from '../parse/parseCommand';
import { namesContent, repeatsContent, showsContent, wordsIn } from './contents';
import { withoutEnd } from './rewriting';
import { MAX_WRITTEN, spellOut } from './spellOut';

/** How many commands may run to find out what one stands for. */
const MAX_OUTPUTS = 60;
const MAX_OUTPUT_MS = 10_000;
/** How deep such commands may need the output of others. */
const MAX_DEPTH = 6;

export interface OutputBudget {
  outputs: number;
  /** How many commands wait for the output of another one. */
  depth: number;
  /** By `performance.now()`. */
  readonly endsMs: number;
  /** Words that were the content of files. */
  readonly contents: Set<string>;
}

export function newBudget(): OutputBudget {
  const endsMs = performance.now() + MAX_OUTPUT_MS;
  return { outputs: MAX_OUTPUTS, depth: 0, endsMs, contents: new Set() };
}

/** The assessments that spelling out begins and ends with. They come from `assessCommand`, which needs this one. */
interface SpellingOut {
  readonly rules: readonly CommandRule[];
  readonly world: CommandWorld;
  readonly budget: OutputBudget;
  readonly assess: (
    plan: Assessed,
    rules: readonly CommandRule[],
    world: CommandWorld,
    budget: OutputBudget,
  ) => Promise<CommandAssessment>;
  readonly assessWritten: (
    plan: Assessed,
    rules: readonly CommandRule[],
    world: CommandWorld,
    options: ParseOptions,
  ) => Promise<CommandAssessment>;
}

/**
 * Assesses a command in other words: loops written out, `xargs`, `find -exec` and `$(…)` replaced by what they stand for. If
 * all of that only reads, it runs in the place of the command. Commands whose output is needed for it run before, if they only
 * read and would run unasked by themselves.
 */
export async function assessSpelledOut(
  plan: Assessed,
  asWritten: CommandAssessment,
  { rules, world, budget, assess, assessWritten }: SpellingOut,
): Promise<CommandAssessment> {
  if ((world.shell !== 'bash' && world.shell !== 'sh') || plan.command.length > MAX_WRITTEN) return asWritten;
  let restricted: CommandAssessment | undefined;
  let allErrors = '';
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
    const read = await world.readOutput({ command: expanded, cwd: plan.cwd.realPath, environment });
    if (read === undefined) return undefined;
    const { parts } = assessment;
    const { output, errors } = read;
    allErrors += errors;
    if (parts.some(showsContent) || repeatsContent(parts, budget.contents))
      for (const word of wordsIn(output)) budget.contents.add(word);
    return output;
  };
  const grammar = await world.grammars.load('bash');
  // Otherwise it asks in any case, so nothing runs for it.
  const mayOnlyRead = grammar.parse(plan.command, findPosixCalls).every(([name = '']) => mayBeSpelledOut(name));
  const spelled = mayOnlyRead ? await spellOut(plan.command, grammar, evaluate) : undefined;
  const command = spelled === undefined ? undefined : withErrors(spelled, allErrors);
  const assessment =
    command === undefined ? undefined : await assessWritten({ ...plan, command }, rules, world, { isSpelledOut: true });
  if (assessment && isUnasked(assessment)) return { ...assessment, expanded: assessment.expanded ?? command };
  if (!restricted) return asWritten;
  const { action, reason, rule } = restricted;
  return { ...asWritten, action, reason, rule };
}

/** `cd folder &&` at the beginning. */
const MOVE = /^cd (?:'[^']*'|[^\s'"&;|]+) && /;

/** The command after the errors of the commands that ran for it. Only lines that a person can read as they are. */
function withErrors(command: string, errors: string): string {
  const lines = errors
    .replaceAll(/[‘’]/g, "'")
    .split('\n')
    .filter((line) => /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(line));
  const move = MOVE.exec(command)?.[0] ?? '';
  if (lines.length === 0 || (move === '' && command.startsWith('cd '))) return command;
  const first = String.raw`printf '%s\n' ${lines.map(quoteWord).join(' ')} >&2`;
  const rest = `${first}; ${command.slice(move.length)}`;
  return move === '' ? rest : `${move}{ ${withoutEnd(rest)}; }`;
}

/** Programs that only read, those that are replaced by what they start, and names that are not known yet. */
function mayBeSpelledOut(name: string): boolean {
  return isKnownReader(name) || /^(?:cd|read|xargs|bash|sh)$|\$/.test(name);
}
