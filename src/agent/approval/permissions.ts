import * as l10n from '../../util/l10n';
import type { CommandAssessment } from '../../workspace/shell/commandAssessment';
import { protectionOf } from '../../workspace/paths/protectedPaths';
import type { EditsPlan, ReadPlan } from '../../workspace/plans';
import type { Confinement } from '../../workspace/ports';
import { originText } from '../../workspace/shell/commandRules';
import type { PermissionMode } from '../view/permissionModes';
import { isOrdinaryEdit, type ApprovablePlan, type SinglePlan } from './approvablePlan';
import { planModeDenial, ruleDenial, untrustedDenial } from './denials';
import { findOffers, type ApprovalOffers } from './offers';
import { whyBuildFile, whyByDefault, whyContent, whySensitive, whyUnseen } from './callReasons';
import {
  findEditRule,
  findToolRule,
  formatPermissionRule,
  nameRule,
  parsePermissionRule,
  ruleForFile,
  type PermissionRule,
} from './rules/permissionRules';

/** A call about which it is decided whether it runs. */
export interface PermissionQuestion {
  readonly plan: ApprovablePlan;
  readonly mode: PermissionMode;
  readonly isTrusted: boolean;
  readonly toolName: string;
  /** The assessment of a command. Absent: the command asks. */
  readonly command?:
    | (Pick<
        CommandAssessment,
        'action' | 'reason' | 'environment' | 'expanded' | 'rule' | 'runsWorkspaceCode' | 'remember' | 'folder'
      > &
        // Without these a command is not sandboxed.
        Partial<Pick<CommandAssessment, 'dangers' | 'parts' | 'hasFailed'>>)
    | undefined;
  /** The rules of the session. Rules about commands are in `command` already. */
  readonly rules?: readonly PermissionRule[] | undefined;
  /** The person accepts ordinary edits for the rest of this run. */
  readonly acceptsEdits?: boolean | undefined;
  /** Real paths of the files that a person allowed to read in this run. */
  readonly readFiles?: readonly string[] | undefined;
  /** The confinement of a sandboxed command. Absent: the sandbox does not work now, and its mode asks as `ask` does. */
  readonly sandbox?: Confinement | undefined;
  /** Display paths of the files that the agent changed and nobody has looked at. */
  readonly unseenEdits?: readonly string[] | undefined;
}

/** The step that decided. */
export type VerdictOrigin = 'trust' | 'rule' | 'mode' | 'protected' | 'reading' | 'command' | 'unseen';

/**
 * `allow`: it runs; a command gets `environment` on top of its own, and runs as `expanded` if that is set. `ask`: a person
 * decides, and `reason` tells them why; `isSensitive`: it could run programs or reveal secrets, so the button that allows it
 * must not have the focus. `deny`: nothing runs; `reason` is for people, `forModel` tells the model what to do instead.
 */
export type Verdict =
  | {
      readonly action: 'allow';
      readonly origin: VerdictOrigin;
      readonly environment?: Readonly<Record<string, string>> | undefined;
      /** The command changes nothing. */
      readonly isReadOnly?: true | undefined;
      readonly expanded?: string | undefined;
      /** A command runs with this confinement only. */
      readonly confinement?: Confinement | undefined;
    }
  | {
      readonly action: 'ask';
      readonly origin: VerdictOrigin;
      readonly reason: string;
      readonly offers?: ApprovalOffers | undefined;
      readonly isSensitive?: boolean | undefined;
    }
  | {
      readonly action: 'deny';
      readonly origin: VerdictOrigin;
      readonly reason: string;
      readonly forModel: string;
    };

/**
 * Decides whether a prepared call runs, asks or is refused. Pure. The first step with a verdict decides. Steps that deny
 * come before steps that ask, and these before steps that allow.
 */
export function decidePermission(question: PermissionQuestion): Verdict {
  const { plan } = question;
  return plan.kind === 'edits' ? decideTogether(question, plan) : decideOne({ ...question, plan });
}

/** One answer for all files: refused if one is, and asked if one asks, for the reason that weighs most. */
function decideTogether(question: PermissionQuestion, { edits }: EditsPlan): Verdict {
  const verdicts = edits.map((plan) => decideOne({ ...question, plan }));
  const denied = verdicts.find(({ action }) => action === 'deny');
  if (denied) return denied;
  const asking = verdicts.filter((verdict) => verdict.action === 'ask');
  const strictest =
    asking.find(({ isSensitive }) => isSensitive) ?? asking.find(({ origin }) => origin !== 'mode') ?? asking[0];
  if (!strictest) return verdicts[0] ?? NOTHING_TO_DECIDE;
  const { offers: _ofOneFile, ...rest } = strictest;
  const areAllOrdinary = asking.every(({ offers }) => offers?.acceptsEdits);
  return { ...rest, ...(areAllOrdinary && { offers: { acceptsEdits: true } }) };
}

/** Plans without edits have an unknown shape already. */
const NOTHING_TO_DECIDE: Verdict = {
  action: 'deny',
  origin: 'rule',
  reason: 'There is no file to change',
  forModel: ruleDenial('There is no file to change'),
};

type OneQuestion = PermissionQuestion & { readonly plan: SinglePlan };

function decideOne(question: OneQuestion): Verdict {
  for (const step of STEPS) {
    const verdict = step(question);
    if (verdict) return verdict;
  }
  const offers = findOffers(question);
  const reason = whyByDefault(question.plan, question.mode, question.command);
  return { action: 'ask', origin: 'mode', reason, ...(offers && { offers }) };
}

const STEPS: readonly ((question: OneQuestion) => Verdict | undefined)[] = [
  requireTrust,
  refuseByRule,
  refuseInPlanMode,
  askByRule,
  allowReadingAgain,
  askAboutProtected,
  askAboutContent,
  allowReading,
  allowOrdinaryEdits,
  allowEditsByRule,
  allowServerToolByRule,
  askAfterUnseenEdits,
  allowKnownCommand,
  runInSandbox,
];

function requireTrust({ isTrusted }: OneQuestion): Verdict | undefined {
  if (isTrusted) return undefined;
  return {
    action: 'deny',
    origin: 'trust',
    reason: 'The workspace is not trusted',
    forModel: untrustedDenial,
  };
}

function refuseByRule(question: OneQuestion): Verdict | undefined {
  const { plan, command } = question;
  const rule = findRestriction(question, 'deny');
  const forbidden = plan.kind === 'command' && command?.action === 'deny' ? command.reason : undefined;
  const reason = rule ? `Forbidden by ${nameRule(rule)}` : forbidden;
  if (reason === undefined) return undefined;
  return { action: 'deny', origin: 'rule', reason, forModel: ruleDenial(reason) };
}

function refuseInPlanMode({ plan, mode }: OneQuestion): Verdict | undefined {
  if (mode !== 'plan' || (plan.kind === 'read' && !isForEdit(plan))) return undefined;
  const what = NAMES[plan.kind === 'read' ? 'edit' : plan.kind];
  return {
    action: 'deny',
    origin: 'mode',
    reason: `${what} are refused in plan mode`,
    forModel: planModeDenial(`${what.charAt(0).toLowerCase()}${what.slice(1)}`),
  };
}

/** Tools of a server that only read are refused as well: only the server says that they do. */
const NAMES = {
  edit: 'Edits',
  command: 'Commands',
  mcp: 'Tools of MCP servers',
  extension: 'Tools of other extensions',
} as const;

function askByRule(question: OneQuestion): Verdict | undefined {
  const { plan, command } = question;
  // The rule asks about the edit itself, which the person sees then.
  if (isForEdit(plan)) return undefined;
  const rule = findRestriction(question, 'ask');
  if (rule) {
    const isSensitive = whySensitive(plan) !== undefined;
    return {
      action: 'ask',
      origin: 'rule',
      reason: l10n.t('Asks because of the rule "{0}" from {1}.', formatPermissionRule(rule), originText(rule.origin)),
      ...(isSensitive && { isSensitive }),
    };
  }
  if (plan.kind !== 'command' || command?.rule?.effect !== 'ask') return undefined;
  return { action: 'ask', origin: 'rule', reason: command.reason };
}

function findRestriction(
  { plan, toolName, rules = [] }: OneQuestion,
  effect: 'deny' | 'ask',
): PermissionRule | undefined {
  const ofTool = findToolRule(rules, effect, toolName);
  return ofTool ?? (plan.kind === 'edit' || isForEdit(plan) ? findEditRule(rules, effect, plan.target) : undefined);
}

/** A read that only plans an edit. It tells of the file no more than the person allowed in this run. */
function allowReadingAgain({ plan, readFiles = [] }: OneQuestion): Verdict | undefined {
  if (!isForEdit(plan) || !readFiles.includes(plan.target.realPath)) return undefined;
  return { action: 'allow', origin: 'reading' };
}

function isForEdit(plan: SinglePlan): plan is ReadPlan {
  return plan.kind === 'read' && plan.isFor === 'edit';
}

function askAboutProtected({ plan, rules = [] }: OneQuestion): Verdict | undefined {
  const ask = { action: 'ask', origin: 'protected' } as const;
  const sensitive = whySensitive(plan);
  if (sensitive !== undefined) return { ...ask, reason: sensitive, isSensitive: true };
  if (plan.kind !== 'edit' || protectionOf(plan.target) !== 2) return undefined;
  // A file that decides what is built and run is allowed only by a rule for this file in this session.
  const exact = ruleForFile(plan.target);
  const parsed = exact === undefined ? undefined : parsePermissionRule(exact, { effect: 'allow', origin: 'session' });
  const isAllowed = rules.some((rule) => parsed?.ok === true && isSameRule(rule, parsed.rule));
  if (isAllowed) return undefined;
  return {
    ...ask,
    reason: whyBuildFile(plan),
    ...(exact !== undefined &&
      isOrdinaryEdit(plan) && { offers: { remember: { rules: [exact], scopes: ['session'] } } }),
  };
}

function isSameRule(rule: PermissionRule, other: PermissionRule): boolean {
  const { kind, effect, origin } = other;
  if (rule.kind !== 'edit' || kind !== 'edit') return false;
  return rule.effect === effect && rule.origin === origin && rule.glob === other.glob;
}

function askAboutContent({ plan }: OneQuestion): Verdict | undefined {
  const reason = plan.kind === 'edit' ? whyContent(plan) : undefined;
  return reason === undefined ? undefined : { action: 'ask', origin: 'protected', reason };
}

/** Reading outside the workspace and of secrets has asked already. */
function allowReading({ plan }: OneQuestion): Verdict | undefined {
  return plan.kind === 'read' ? { action: 'allow', origin: 'reading' } : undefined;
}

function allowOrdinaryEdits(question: OneQuestion): Verdict | undefined {
  const { plan, mode, sandbox, acceptsEdits = false } = question;
  if (plan.kind !== 'edit' || !isOrdinaryEdit(plan)) return undefined;
  const isAllowed = mode === 'acceptEdits' || (mode === 'sandbox' && sandbox?.isSandbox === true);
  return isAllowed || acceptsEdits ? { action: 'allow', origin: 'mode' } : undefined;
}

function allowEditsByRule({ plan, rules = [] }: OneQuestion): Verdict | undefined {
  if (plan.kind !== 'edit' || !isOrdinaryEdit(plan)) return undefined;
  return findEditRule(rules, 'allow', plan.target) ? { action: 'allow', origin: 'rule' } : undefined;
}

/**
 * A rule allows a tool with any arguments. A rule from a card was offered because the server said that the tool only
 * reads, so it holds only as long as the server says so.
 */
function allowServerToolByRule({ plan, toolName, rules = [] }: OneQuestion): Verdict | undefined {
  if (plan.kind !== 'mcp' && plan.kind !== 'extension') return undefined;
  const isReadOnly = plan.kind === 'mcp' && plan.isReadOnly;
  const holding = isReadOnly ? rules : rules.filter(({ origin }) => origin === 'user');
  return findToolRule(holding, 'allow', toolName) ? { action: 'allow', origin: 'rule' } : undefined;
}

/** An allowed command asks again when the agent has changed, unseen by the person, code that the command may run. */
function askAfterUnseenEdits(question: OneQuestion): Verdict | undefined {
  const { plan, command, unseenEdits = [] } = question;
  if (plan.kind !== 'command' || command?.action !== 'allow' || !command.runsWorkspaceCode) return undefined;
  // A confined command can do no more than the agent itself.
  if (unseenEdits.length === 0 || plan.confinement) return undefined;
  const sandboxed = runInSandbox(question);
  if (sandboxed) return sandboxed;
  return { action: 'ask', origin: 'unseen', reason: whyUnseen(command.reason, unseenEdits) };
}

/** A rule for a command does not allow it in the terminal or in the background. */
function allowKnownCommand({ plan, command }: OneQuestion): Verdict | undefined {
  if (plan.kind !== 'command' || command?.action !== 'allow') return undefined;
  if (plan.inTerminal || plan.isBackground) return undefined;
  const { environment, expanded } = command;
  return {
    action: 'allow',
    origin: 'command',
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(!command.runsWorkspaceCode && { isReadOnly: true }),
    ...(expanded !== undefined && { expanded }),
  };
}

/** In the sandbox, a command sees and changes no more than the agent may unasked. So it need not be understood. */
function runInSandbox(question: OneQuestion): Verdict | undefined {
  const { sandbox } = question;
  if (sandbox?.isSandbox !== true || sandbox.allowsNetwork || !canBeSandboxed(question)) return undefined;
  return { action: 'allow', origin: 'mode', confinement: sandbox };
}

/**
 * Whether a call that asks would run if the sandbox works. Not a command with a danger that a person must see, nor one that
 * changes a repository, which is read-only there.
 */
export function canBeSandboxed({ plan, mode, isTrusted, command }: PermissionQuestion): boolean {
  if (mode !== 'sandbox' || !isTrusted) return false;
  if (plan.kind === 'edits') return plan.edits.every(isOrdinaryEdit);
  if (plan.kind === 'edit') return isOrdinaryEdit(plan);
  if (plan.kind !== 'command' || plan.inTerminal || plan.isBackground) return false;
  if (!command?.parts || !command.dangers || command.hasFailed) return false;
  const changesGit = command.parts.some(({ argv, readOnly }) => argv[0] === 'git' && !readOnly);
  return command.dangers.length === 0 && !changesGit;
}
