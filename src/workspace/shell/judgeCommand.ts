import * as l10n from '../../util/l10n';
import type { CommandAnalysis, CommandPart, PlainAnalysis, ShellName } from './parse/analysis';
import { callsBehind } from './callsBehind';
import { asksBecause } from './commandReasons';
import { describeOrigin, originText, findRule, formatRule, type CommandRule } from './commandRules';
import type { ReadOnlyCall } from './allowedUnasked/profile';
import { readOnlyCall } from './allowedUnasked/readOnlyCall';

/** The decision about one call of a command line. */
export interface PartJudgement {
  readonly argv: readonly string[];
  readonly isNamePlain: boolean;
  readonly action: 'allow' | 'ask' | 'deny';
  /** For people. */
  readonly reason: string;
  readonly rule?: CommandRule | undefined;
  /** Set for a call of a built-in read-only command, even when a rule allowed it. */
  readonly readOnly?: ReadOnlyCall | undefined;
}

/**
 * `calls`: what "always allow" would store, the exact words of each call that is not allowed yet. Else it is not
 * offered.
 */
export type Rememberable =
  { readonly ok: true; readonly calls: readonly (readonly string[])[] } | { readonly ok: false };

/** The decision about a command line by its words alone. */
export interface CommandJudgement {
  readonly action: 'allow' | 'ask' | 'deny';
  /** For people: why it asks, is forbidden or is allowed. Only the reason to ask is a whole sentence. */
  readonly reason: string;
  /** The rule that decided, for the card. */
  readonly rule?: CommandRule | undefined;
  /** Empty for an opaque command. */
  readonly parts: readonly PartJudgement[];
  /**
   * With `allow`: a program runs that is not one of the built-in read-only commands, so it may run code of the workspace.
   * Such a command asks again after edits that nobody has seen.
   */
  readonly runsWorkspaceCode: boolean;
  readonly remember: Rememberable;
}

export interface JudgeOptions {
  readonly shell: ShellName;
  readonly rules: readonly CommandRule[];
}

/**
 * Decides about an analysed command. Deny beats ask, ask beats allow. A command runs without a question only when each of
 * its calls is allowed. Pure: `assessCommand` looks at paths, programs and git repositories.
 */
export function judgeCommand(analysis: CommandAnalysis, { shell, rules }: JudgeOptions): CommandJudgement {
  const parts = analysis.kind === 'plain' ? analysis.parts.map((part) => judgePart(part, { shell, rules })) : [];
  const written = analysis.kind === 'plain' ? callsOf(analysis) : analysis.seen;
  const calls = written.flatMap((argv) => [argv, ...callsBehind(argv)]);
  const denying = findAmong(calls, 'deny', rules);
  const asking = findAmong(calls, 'ask', rules);
  const remember = findRememberable(analysis, parts, denying ?? asking);
  const decided = { parts, remember, runsWorkspaceCode: false };
  if (denying) return { ...decided, action: 'deny', reason: `Forbidden by ${nameRule(denying)}`, rule: denying };
  if (asking)
    return {
      ...decided,
      action: 'ask',
      reason: l10n.t('Asks because of the rule "{0}" from {1}.', formatRule(asking), originText(asking.origin)),
      rule: asking,
    };
  if (analysis.kind === 'opaque') {
    return { ...decided, action: 'ask', reason: l10n.t('Cannot be checked in advance: {0}.', analysis.reason) };
  }
  const unallowed = parts.find(({ action }) => action !== 'allow');
  if (unallowed) return { ...decided, action: 'ask', reason: unallowed.reason };
  const rule = parts.find((part) => part.rule)?.rule;
  return {
    ...decided,
    action: 'allow',
    reason: parts[0]?.reason ?? l10n.t('`cd` only changes the folder'),
    ...(rule && { rule }),
    runsWorkspaceCode: parts.some((part) => part.readOnly === undefined),
  };
}

/** The words of each call, with the leading `cd`. */
export function callsOf({ parts, folder }: PlainAnalysis): readonly (readonly string[])[] {
  return [...(folder === undefined ? [] : [['cd', folder]]), ...parts.map(({ argv }) => argv)];
}

function judgePart(part: CommandPart, { shell, rules }: JudgeOptions): PartJudgement {
  const { argv, isNamePlain } = part;
  const known = readOnlyCall(part, shell);
  const inputs = part.inputs ?? [];
  const readOnly = typeof known === 'string' ? undefined : { ...known, reads: [...known.reads, ...inputs] };
  const judged = { argv, isNamePlain, ...(readOnly && { readOnly }) };
  for (const effect of ['deny', 'ask'] as const) {
    const rule = findRule(rules, effect, argv);
    if (rule) return { ...judged, action: effect, reason: nameRule(rule), rule };
  }
  // A rule names words only, so none holds with a file as input, with variables or inside of a group.
  const isWordsOnly = part.inputs === undefined && part.assignments === undefined && !part.isGrouped;
  const allowing = isNamePlain && isWordsOnly ? findRule(rules, 'allow', argv) : undefined;
  if (allowing)
    return {
      ...judged,
      action: 'allow',
      reason: l10n.t('Allowed by the rule "{0}" from {1}', formatRule(allowing), originText(allowing.origin)),
      rule: allowing,
    };
  if (typeof known !== 'string')
    return { ...judged, action: 'allow', reason: l10n.t('`{0}` only reads', argv[0] ?? '') };
  const call = formatRule({ argv, isOpenEnded: false });
  return { ...judged, action: 'ask', reason: asksBecause(`\`${call}\` ${known}`) };
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
  // A rule about every command also holds for calls that cannot be read.
  return rules.find((rule) => rule.effect === effect && rule.argv.length === 0 && rule.isOpenEnded);
}

function findRememberable(
  analysis: CommandAnalysis,
  parts: readonly PartJudgement[],
  restricting: CommandRule | undefined,
): Rememberable {
  if (analysis.kind === 'opaque' || restricting || parts.some(({ isNamePlain }) => !isNamePlain)) return { ok: false };
  if (analysis.parts.some(({ inputs, assignments, isGrouped }) => inputs ?? assignments ?? isGrouped))
    return { ok: false };
  // No rule can allow them; see `parseRule`.
  if (parts.some(({ argv, action }) => action === 'ask' && /^\[\[?$/.test(argv[0] ?? ''))) return { ok: false };
  return { ok: true, calls: parts.filter(({ action }) => action === 'ask').map(({ argv }) => argv) };
}

/** In English, because the model reads why a command is forbidden. */
function nameRule(rule: CommandRule): string {
  return `the rule "${formatRule(rule)}" from ${describeOrigin(rule.origin)}`;
}
