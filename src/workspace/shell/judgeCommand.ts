import type { CommandAnalysis, CommandPart, ShellName } from './parse/analysis';
import { describeOrigin, findRule, formatRule, type CommandRule } from './commandRules';
import type { ReadOnlyCall } from './allowedUnasked/profile';
import { readOnlyCall } from './allowedUnasked/readOnlyCall';

/** Why one call of a command line may run or not. */
export interface PartJudgement {
  readonly argv: readonly string[];
  readonly isNamePlain: boolean;
  readonly action: 'allow' | 'ask' | 'deny';
  /** For people. */
  readonly reason: string;
  readonly rule?: CommandRule | undefined;
  /** What is known of a call of a built-in read-only command, whichever way it was allowed. */
  readonly readOnly?: ReadOnlyCall | undefined;
}

/** What "always allow" would store: the exact words of each call that is not allowed yet; or why it is not offered. */
export type Rememberable =
  | { readonly ok: true; readonly calls: readonly (readonly string[])[] }
  | { readonly ok: false; readonly reason: string };

/** The judgement of a command line by its words alone. */
export interface CommandJudgement {
  readonly action: 'allow' | 'ask' | 'deny';
  /** For people: why it asks or is forbidden; for `allow`, what allows it. */
  readonly reason: string;
  /** The rule that decided, for the card. */
  readonly rule?: CommandRule | undefined;
  /** Empty for an opaque command. */
  readonly parts: readonly PartJudgement[];
  /**
   * With `allow`: something outside the built-in read-only commands runs, which may be code of the workspace. Such a
   * command asks again after edits that nobody has seen.
   */
  readonly runsWorkspaceCode: boolean;
  readonly remember: Rememberable;
}

export interface JudgeOptions {
  readonly shell: ShellName;
  readonly rules: readonly CommandRule[];
}

/**
 * Decides about an analysed command: deny beats ask beats allow, and a command runs without a question only when every
 * call in it is allowed. Pure: paths, programs and git repositories are looked at by `assessCommand`.
 */
export function judgeCommand(analysis: CommandAnalysis, { shell, rules }: JudgeOptions): CommandJudgement {
  const calls = analysis.kind === 'plain' ? analysis.parts.map(({ argv }) => argv) : analysis.seen;
  const denying = findAmong(calls, 'deny', rules);
  const asking = findAmong(calls, 'ask', rules);
  const parts = analysis.kind === 'plain' ? analysis.parts.map((part) => judgePart(part, { shell, rules })) : [];
  const remember = findRememberable(analysis, parts, denying ?? asking);
  const decided = { parts, remember, runsWorkspaceCode: false };
  if (denying) return { ...decided, action: 'deny', reason: `Forbidden by ${nameRule(denying)}`, rule: denying };
  if (asking) return { ...decided, action: 'ask', reason: `Asked about by ${nameRule(asking)}`, rule: asking };
  if (analysis.kind === 'opaque') {
    return { ...decided, action: 'ask', reason: `What it runs is not known for certain: ${analysis.reason}` };
  }
  const unallowed = parts.find(({ action }) => action !== 'allow');
  if (unallowed) return { ...decided, action: 'ask', reason: unallowed.reason };
  const rule = parts.find((part) => part.rule)?.rule;
  return {
    ...decided,
    action: 'allow',
    reason: parts.map(({ reason }) => reason)[0] ?? '',
    ...(rule && { rule }),
    runsWorkspaceCode: parts.some((part) => part.readOnly === undefined),
  };
}

function judgePart(part: CommandPart, { shell, rules }: JudgeOptions): PartJudgement {
  const { argv, isNamePlain } = part;
  const known = readOnlyCall(part, shell);
  const readOnly = typeof known === 'string' ? undefined : known;
  const judged = { argv, isNamePlain, ...(readOnly && { readOnly }) };
  for (const effect of ['deny', 'ask'] as const) {
    const rule = findRule(rules, effect, argv);
    if (rule) return { ...judged, action: effect, reason: `A rule is about it: ${nameRule(rule)}`, rule };
  }
  const allowing = isNamePlain ? findRule(rules, 'allow', argv) : undefined;
  if (allowing) return { ...judged, action: 'allow', reason: `Allowed by ${nameRule(allowing)}`, rule: allowing };
  const name = argv[0] ?? '';
  if (readOnly) return { ...judged, action: 'allow', reason: `"${name}" only reads` };
  const why = typeof known === 'string' ? `: ${known}` : '';
  return { ...judged, action: 'ask', reason: `No rule allows "${formatRule({ argv, isOpenEnded: false })}"${why}` };
}

function findAmong(
  calls: readonly (readonly string[])[],
  effect: 'deny' | 'ask',
  rules: readonly CommandRule[],
): CommandRule | undefined {
  for (const argv of calls) {
    const rule = findRule(rules, effect, argv);
    if (rule) return rule;
  }
  // A rule about everything holds for what cannot be made out as well.
  return rules.find((rule) => rule.effect === effect && rule.argv.length === 0 && rule.isOpenEnded);
}

function findRememberable(
  analysis: CommandAnalysis,
  parts: readonly PartJudgement[],
  restricting: CommandRule | undefined,
): Rememberable {
  if (analysis.kind === 'opaque') return { ok: false, reason: `It cannot be remembered: ${analysis.reason}` };
  if (restricting) return { ok: false, reason: `It cannot be remembered: ${nameRule(restricting)} is stricter` };
  const quoted = parts.find(({ isNamePlain }) => !isNamePlain);
  if (quoted) return { ok: false, reason: 'It cannot be remembered: the name of the program is quoted or escaped' };
  return { ok: true, calls: parts.filter(({ action }) => action === 'ask').map(({ argv }) => argv) };
}

function nameRule(rule: CommandRule): string {
  return `the rule "${formatRule(rule)}" from ${describeOrigin(rule.origin)}`;
}
