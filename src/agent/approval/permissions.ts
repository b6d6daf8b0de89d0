import { assertNever } from '../../util/assertNever';
import { visibleText } from '../../util/visibleText';
import type { CommandAssessment } from '../../workspace/shell/assessCommand';
import type { EditPlan, GuardedPath, WorkspacePlan } from '../../workspace/plans';
import { isReadingProtected, protectionOf } from '../../workspace/paths/protectedPaths';
import { formatRule } from '../../workspace/shell/commandRules';
import type { ApprovablePlan } from './approvablePlan';
import { findEditHazards } from './editHazards';
import {
  findEditRule,
  findToolRule,
  nameRule,
  parsePermissionRule,
  ruleForFile,
  type PermissionRule,
  type RememberScope,
} from './rules';

/**
 * How far the agent may go by itself. `plan`: reading only. `ask`: reading runs, the rest asks. `acceptEdits`: ordinary
 * edits inside the workspace run as well.
 */
export const permissionModes = ['plan', 'ask', 'acceptEdits'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What is to be decided. */
export interface PermissionQuestion {
  readonly plan: ApprovablePlan;
  readonly mode: PermissionMode;
  readonly isTrusted: boolean;
  readonly toolName: string;
  /** What is known of a command. Absent: nothing, so that it asks. */
  readonly command?:
    | Pick<CommandAssessment, 'action' | 'reason' | 'environment' | 'rule' | 'runsWorkspaceCode' | 'remember'>
    | undefined;
  /** What the person laid down. Those about commands are in `command` already. */
  readonly rules?: readonly PermissionRule[] | undefined;
  /** The person accepts ordinary edits for the rest of this run. */
  readonly acceptsEdits?: boolean | undefined;
  /** The files that the agent changed and nobody has looked at, as they are displayed. */
  readonly unseenEdits?: readonly string[] | undefined;
}

/** What the question offers besides yes and no. */
export interface ApprovalOffers {
  /** Rules to allow from now on, as texts: exactly what is asked about; and for how long. */
  readonly remember?: { readonly rules: readonly string[]; readonly scopes: readonly RememberScope[] } | undefined;
  /** To accept ordinary edits for the rest of the run. */
  readonly acceptsEdits?: boolean | undefined;
}

/** What made the decision. */
export type VerdictOrigin = 'trust' | 'rule' | 'mode' | 'protected' | 'reading' | 'command' | 'unseen';

/**
 * `allow`: it runs; a command with `environment` on top of its own. `ask`: a person decides, and `reason` tells them why
 * they are asked; `isSensitive`: it could run programs or give secrets away, so that yes must not be at hand. `deny`:
 * nothing runs; `reason` tells people, `forModel` what the model should do instead.
 */
export type Verdict =
  | {
      readonly action: 'allow';
      readonly origin: VerdictOrigin;
      readonly environment?: Readonly<Record<string, string>> | undefined;
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

/** What the model is told of every call in an untrusted workspace. */
export const untrustedMessage =
  'This workspace is not trusted, so no tool may run in it. Answer from what is in the conversation. Tell the user ' +
  'that files can be read and changed after "Workspaces: Manage Workspace Trust" in VS Code.';

/**
 * Whether a prepared call runs, asks or is refused. Pure; the steps are tried in order and the first that has an opinion
 * decides. Denials come before everything that asks, and what asks before everything that allows.
 */
export function decidePermission(question: PermissionQuestion): Verdict {
  for (const step of STEPS) {
    const verdict = step(question);
    if (verdict) return verdict;
  }
  const offers = findOffers(question);
  return { action: 'ask', origin: 'mode', reason: reasonToAsk(question), ...(offers && { offers }) };
}

const STEPS: readonly ((question: PermissionQuestion) => Verdict | undefined)[] = [
  requireTrust,
  refuseByRule,
  refuseInPlanMode,
  askByRule,
  askAboutProtected,
  askAboutContent,
  allowReading,
  allowOrdinaryEdits,
  allowEditsByRule,
  allowServerToolByRule,
  askAfterUnseenEdits,
  allowKnownCommand,
];

function requireTrust({ isTrusted }: PermissionQuestion): Verdict | undefined {
  if (isTrusted) return undefined;
  return {
    action: 'deny',
    origin: 'trust',
    reason: 'The workspace is not trusted',
    forModel: untrustedMessage,
  };
}

function refuseByRule(question: PermissionQuestion): Verdict | undefined {
  const { plan, command } = question;
  const rule = findRestriction(question, 'deny');
  const forbidden = plan.kind === 'command' && command?.action === 'deny' ? command.reason : undefined;
  const reason = rule ? `Forbidden by ${nameRule(rule)}` : forbidden;
  if (reason === undefined) return undefined;
  return {
    action: 'deny',
    origin: 'rule',
    reason,
    forModel: `${reason}. Do not try it in another way; tell the user.`,
  };
}

function refuseInPlanMode({ plan, mode }: PermissionQuestion): Verdict | undefined {
  if (mode !== 'plan' || plan.kind === 'read') return undefined;
  const what = NAMES[plan.kind];
  return {
    action: 'deny',
    origin: 'mode',
    reason: `${what} are refused in plan mode`,
    forModel:
      `The session is in plan mode: ${what.charAt(0).toLowerCase()}${what.slice(1)} are refused. Asking again or in another way changes nothing. ` +
      'Read what you still need, then describe to the user, step by step, what you would change and run.',
  };
}

/** Whether a server's tool only reads is for the server to say, so that nobody can rely on it. */
const NAMES = {
  edit: 'Edits',
  command: 'Commands',
  mcp: 'Tools of MCP servers',
  extension: 'Tools of other extensions',
} as const;

function askByRule(question: PermissionQuestion): Verdict | undefined {
  const { plan, command } = question;
  const rule = findRestriction(question, 'ask');
  if (rule) {
    const isSensitive = isSensitiveFile(plan);
    return {
      action: 'ask',
      origin: 'rule',
      reason: `Asked about by ${nameRule(rule)}`,
      ...(isSensitive && { isSensitive }),
    };
  }
  if (plan.kind !== 'command' || command?.rule?.effect !== 'ask') return undefined;
  return { action: 'ask', origin: 'rule', reason: command.reason };
}

function findRestriction(
  { plan, toolName, rules = [] }: PermissionQuestion,
  effect: 'deny' | 'ask',
): PermissionRule | undefined {
  const ofTool = findToolRule(rules, effect, toolName);
  return ofTool ?? (plan.kind === 'edit' ? findEditRule(rules, effect, plan.target) : undefined);
}

/** Where nothing but a person's answer to this very question counts: tier 1, and everything outside. */
function isSensitiveFile(plan: ApprovablePlan): boolean {
  switch (plan.kind) {
    case 'read':
      return isReadingProtected(plan.target);
    case 'edit':
      return protectionOf(plan.target) === 1;
    case 'command':
      return plan.cwd.pathInRoot === null;
    case 'mcp':
    case 'extension':
      return false;
    default:
      return assertNever(plan);
  }
}

function askAboutProtected({ plan, rules = [] }: PermissionQuestion): Verdict | undefined {
  if (plan.kind === 'mcp' || plan.kind === 'extension') return undefined;
  const ask = { action: 'ask', origin: 'protected' } as const;
  if (isSensitiveFile(plan)) return { ...ask, reason: whySensitive(plan), isSensitive: true };
  if (plan.kind !== 'edit' || protectionOf(plan.target) !== 2) return undefined;
  // Only the person's word for this very file and this session counts for one that decides what is built and run.
  const exact = ruleForFile(plan.target);
  const parsed = exact === undefined ? undefined : parsePermissionRule(exact, { effect: 'allow', origin: 'session' });
  const isAllowed = rules.some((rule) => parsed?.ok === true && isSameRule(rule, parsed.rule));
  if (isAllowed) return undefined;
  return {
    ...ask,
    reason: `${describeTarget(plan.target)} decides what is built, tested or run, so changing it asks in every mode`,
    ...(exact !== undefined && isOrdinary(plan) && { offers: { remember: { rules: [exact], scopes: ['session'] } } }),
  };
}

function isSameRule(rule: PermissionRule, other: PermissionRule): boolean {
  const { kind, effect, origin } = other;
  if (rule.kind !== 'edit' || kind !== 'edit') return false;
  return rule.effect === effect && rule.origin === origin && rule.glob === other.glob;
}

function whySensitive(plan: WorkspacePlan): string {
  const target = plan.kind === 'command' ? plan.cwd : plan.target;
  const name = describeTarget(target);
  if (target.pathInRoot === null) return `${name} is outside the workspace, so ${OUTSIDE[plan.kind]} always asks`;
  return plan.kind === 'read'
    ? `${name} may hold secrets, so reading it always asks`
    : `${name} can run programs or hold secrets, so changing it always asks`;
}

const OUTSIDE = { read: 'reading it', edit: 'changing it', command: 'running a command there' } as const;

/** What the new text says can be as telling as where it goes. */
function askAboutContent({ plan }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'edit') return undefined;
  const [hazard] = findEditHazards(plan);
  return hazard && { action: 'ask', origin: 'protected', reason: HAZARDS[hazard.kind] };
}

const HAZARDS = {
  hidden_characters: 'An edit that brings hidden characters always asks',
  remote_schema: 'An edit that names a schema elsewhere always asks',
} as const;

/** What is outside of the workspace has asked already. */
function allowReading({ plan }: PermissionQuestion): Verdict | undefined {
  return plan.kind === 'read' ? { action: 'allow', origin: 'reading' } : undefined;
}

function allowOrdinaryEdits({ plan, mode, acceptsEdits = false }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'edit' || !isOrdinary(plan)) return undefined;
  return mode === 'acceptEdits' || acceptsEdits ? { action: 'allow', origin: 'mode' } : undefined;
}

function allowEditsByRule({ plan, rules = [] }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'edit' || !isOrdinary(plan)) return undefined;
  return findEditRule(rules, 'allow', plan.target) ? { action: 'allow', origin: 'rule' } : undefined;
}

/**
 * The person's own word about a tool, whatever its arguments. What they said on a card, because the server called the tool
 * reading, holds as long as it does.
 */
function allowServerToolByRule({ plan, toolName, rules = [] }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'mcp' && plan.kind !== 'extension') return undefined;
  const isReadOnly = plan.kind === 'mcp' && plan.isReadOnly;
  const holding = isReadOnly ? rules : rules.filter(({ origin }) => origin === 'user');
  return findToolRule(holding, 'allow', toolName) ? { action: 'allow', origin: 'rule' } : undefined;
}

/** What was allowed when a person knew the code is another thing once the agent has changed that code behind their back. */
function askAfterUnseenEdits({ plan, command, unseenEdits = [] }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'command' || command?.action !== 'allow' || !command.runsWorkspaceCode) return undefined;
  // Confined, the code does no more than the agent could.
  if (unseenEdits.length === 0 || plan.confinement) return undefined;
  const named = unseenEdits.slice(0, 3).join(', ');
  const more = unseenEdits.length > 3 ? ` and ${unseenEdits.length - 3} more` : '';
  return {
    action: 'ask',
    origin: 'unseen',
    reason:
      `${command.reason}, but it runs code of the workspace, and you have not seen what the agent changed in ` +
      `${named}${more}. After a review of the changes it runs without a question again`,
  };
}

/** By a rule, or because it only reads. What somebody said about a command is not that it may go on unwatched. */
function allowKnownCommand({ plan, command }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'command' || command?.action !== 'allow') return undefined;
  if (plan.inTerminal || plan.isBackground) return undefined;
  const { environment } = command;
  return { action: 'allow', origin: 'command', ...(Object.keys(environment).length > 0 && { environment }) };
}

/** To write a whole file anew is a way to lose what was in it, and a place that is only like the quoted one may be another. */
function isOrdinary({ operation, match }: EditPlan): boolean {
  return match !== 'near' && (operation === 'edit' || operation === 'create');
}

function findOffers({ plan, mode, command, toolName }: PermissionQuestion): ApprovalOffers | undefined {
  // Whoever wants to allow more than reading, whatever the arguments, writes it into the settings.
  if (plan.kind === 'mcp') {
    return plan.isReadOnly
      ? { remember: { rules: [`tool:${toolName}`], scopes: ['session', 'workspace'] } }
      : undefined;
  }
  if (plan.kind === 'edit') return mode === 'ask' && isOrdinary(plan) ? { acceptsEdits: true } : undefined;
  if (plan.kind !== 'command' || command?.remember.ok !== true) return undefined;
  // It would ask again all the same.
  if (plan.inTerminal || plan.isBackground) return undefined;
  if (command.remember.calls.length === 0) return undefined;
  const rules = command.remember.calls.map((argv) => formatRule({ argv, isOpenEnded: false }));
  // What would not come back as the same rule is not offered.
  const areReadable = rules.every((text, index) => {
    const parsed = parsePermissionRule(text, { effect: 'allow', origin: 'session' });
    if (!parsed.ok || parsed.rule.kind !== 'command' || parsed.rule.isOpenEnded) return false;
    return JSON.stringify(parsed.rule.argv) === JSON.stringify(command.remember.ok && command.remember.calls[index]);
  });
  return areReadable ? { remember: { rules: [...new Set(rules)], scopes: ['session', 'workspace'] } } : undefined;
}

function reasonToAsk({ plan, mode, command }: PermissionQuestion): string {
  switch (plan.kind) {
    case 'read':
      return 'Reading this asks';
    case 'edit':
      if (mode !== 'acceptEdits') return 'Edits ask in this mode';
      if (plan.match === 'near') return 'The place was found by likeness, which always asks';
      return 'Replacing a whole file always asks';
    case 'command':
      if (plan.isBackground && command?.action === 'allow') return 'What goes on in the background always asks';
      return command?.reason ?? 'Commands always ask';
    case 'mcp':
    case 'extension':
      return 'No rule allows this tool';
    default:
      return assertNever(plan);
  }
}

/** How it was asked for and, when a link led elsewhere, what it is. */
function describeTarget({ displayPath, pathInRoot }: GuardedPath): string {
  const name = visibleText(displayPath, 'path');
  // The folder itself is what the person opened, wherever it is.
  const isNamed = pathInRoot === null || pathInRoot === '' || `/${displayPath}`.endsWith(`/${pathInRoot}`);
  return isNamed ? name : `${name}, which is ${visibleText(pathInRoot, 'path')},`;
}
