import * as l10n from '../../util/l10n';
import type { PreToolUseEvent } from '../../sdk/hooks';
import { messageOf } from '../../util/errors';
import type { CommandPlan, EditsPlan, ReadPlan } from '../../workspace/plans';
import type { CommandAssessment } from '../../workspace/shell/commandAssessment';
import type { PermissionMode } from '../view/permissionModes';
import type { ApprovablePlan } from './approvablePlan';
import type { AllowMore, ApprovalAsk, ApprovalDecision, EditedTexts, RunEdits, RunReads } from './approver';
import type { AssessCommand } from './commandAssessor';
import {
  stoppedDenial,
  unansweredDenial,
  unaskedDenial,
  unchangeableDenial,
  unclearDenial,
  userDenial,
} from './denials';
import type { ApprovalOffers } from './offers';
import { canBeSandboxed, decidePermission, type PermissionQuestion, type Verdict } from './permissions';
import { describeQuestion, hasChanged, type Question } from './questions';
import { commandRules, type SessionRules } from './rules/permissionRules';
import type { OfferSandbox } from './sandbox/sandboxOffer';
import type { UnseenEdits } from './unseenEdits';

export interface DecisionParts {
  /** Asks for a decision. A rejection counts as a denial. */
  readonly ask: ApprovalAsk;
  /** Read anew for every call: trust can be granted and taken away while a session lives. */
  readonly isTrusted: () => boolean;
  /** Read anew for every call: it can be switched while a session lives. */
  readonly mode: () => PermissionMode;
  /** Assesses a command before it is decided. Absent: every command asks. */
  readonly assessCommand?: AssessCommand | undefined;
  /** The rules of this session. Absent: there are none, and none can be added. */
  readonly rules?: SessionRules | undefined;
  /** Whether ordinary edits are accepted for the rest of the run. Absent: that is not offered. */
  readonly runEdits?: RunEdits | undefined;
  /** The files that a person allowed to read in this run. Absent: each edit asks to read a protected file. */
  readonly runReads?: RunReads | undefined;
  /** Tries the sandbox. Absent: in the mode `sandbox`, everything asks that asks in the mode `ask`. */
  readonly offerSandbox?: OfferSandbox | undefined;
  /** Files that the agent changed and nobody has looked at. */
  readonly unseenEdits?: Pick<UnseenEdits, 'current' | 'add'> | undefined;
}

/** `shown`: what a person was told when they allowed it; empty if nobody was asked. */
export type Decision =
  | { readonly action: 'allow'; readonly plan?: ApprovablePlan | undefined; readonly shown: readonly Question[] }
  | { readonly action: 'deny'; readonly reason: string };

/**
 * Decides whether a plan runs. Judges it anew after each answer: trust, mode, rules and programs may have changed while
 * the question was open. A new reason to ask is asked too. Never rejects.
 */
export async function decideCall(
  event: PreToolUseEvent,
  plan: ApprovablePlan,
  parts: DecisionParts,
): Promise<Decision> {
  const { toolName, signal } = event;
  const shown: Question[] = [];
  let judged = await judge(toolName, plan, parts);
  while (judged.verdict.action === 'ask' && !signal.aborted) {
    const question = describeQuestion(judged.verdict, judged.command, parts);
    shown.push(question);
    const asked = await askSafely(event, plan, question, parts);
    if (signal.aborted) break;
    const decision = answer(plan, asked, shown);
    if (asked.action !== 'allow' || decision.action === 'deny') return decision;
    judged = await judge(toolName, plan, parts);
    if (judged.verdict.action === 'deny' || signal.aborted) break;
    if (hasChanged(judged, shown)) continue;
    await grantMore(asked, question.offers, parts);
    if (plan.kind === 'read' && showsFile(toolName, plan)) parts.runReads?.allow(plan.target.realPath);
    return decision;
  }
  if (signal.aborted) return deny(stoppedDenial);
  return withoutAsking(plan, judged.verdict, parts);
}

/** Whether the model gets to know the text of the file: not only matches, names or problems. */
function showsFile(toolName: string, { isFor }: ReadPlan): boolean {
  return isFor === 'edit' || toolName === 'read_file';
}

/** Decides once more about a call that was allowed, right before it runs. `original`: the plan before it was narrowed. */
export async function decideAgain(
  event: PreToolUseEvent,
  { allowed, original }: { readonly allowed: ApprovablePlan; readonly original: ApprovablePlan },
  parts: DecisionParts,
  shown: readonly Question[],
): Promise<Decision> {
  const isNarrowed = allowed.kind === 'command' && (allowed.expanded !== undefined || isInSandbox(allowed));
  if (!isNarrowed || original.kind !== 'command') return decideOnceMore(event, allowed, parts, shown);
  // Its files, or the mode, may be others now. If a person is asked, the command runs as they read it.
  const plan = { ...original, expanded: undefined, isReadOnly: undefined };
  const decision = await decideOnceMore(event, plan, parts, shown);
  return decision.action === 'allow' ? { ...decision, plan: decision.plan ?? plan } : decision;
}

function isInSandbox({ confinement }: CommandPlan): boolean {
  return confinement?.isSandbox === true;
}

async function decideOnceMore(
  event: PreToolUseEvent,
  plan: ApprovablePlan,
  parts: DecisionParts,
  shown: readonly Question[],
): Promise<Decision> {
  const judged = await judge(event.toolName, plan, parts);
  if (judged.verdict.action === 'deny') return deny(judged.verdict.forModel);
  if (shown.length > 0 && !hasChanged(judged, shown)) return { action: 'allow', shown };
  return decideCall(event, plan, parts);
}

function withoutAsking(plan: ApprovablePlan, verdict: Verdict, { unseenEdits }: DecisionParts): Decision {
  if (verdict.action !== 'allow') return deny(verdict.action === 'deny' ? verdict.forModel : unclearDenial);
  if (plan.kind === 'edit') unseenEdits?.add(plan);
  if (plan.kind === 'edits') for (const edit of plan.edits) unseenEdits?.add(edit);
  const { environment, expanded, isReadOnly, confinement } = verdict;
  const narrowed = {
    ...(environment && { environment }),
    ...(expanded !== undefined && { expanded }),
    ...(isReadOnly && { isReadOnly }),
    ...(confinement && { confinement }),
  };
  const isNarrowed = plan.kind === 'command' && Object.keys(narrowed).length > 0;
  return { action: 'allow', shown: [], ...(isNarrowed && { plan: { ...plan, ...narrowed } }) };
}

interface Judged {
  readonly verdict: Verdict;
  /** Commands only. */
  readonly command: CommandAssessment | undefined;
}

async function judge(toolName: string, plan: ApprovablePlan, parts: DecisionParts): Promise<Judged> {
  const { isTrusted, mode, assessCommand, rules, runEdits, runReads, unseenEdits } = parts;
  let command: CommandAssessment | undefined;
  const question = (): PermissionQuestion => ({
    toolName,
    plan,
    mode: mode(),
    isTrusted: isTrusted(),
    command,
    rules: rules?.current() ?? [],
    acceptsEdits: runEdits?.areAccepted() ?? false,
    readFiles: runReads?.allowed() ?? [],
    unseenEdits: unseenEdits?.current.map(({ displayPath }) => displayPath) ?? [],
  });
  // An assessment reads files and repositories, which an untrusted workspace does not allow.
  if (plan.kind === 'command' && isTrusted() && assessCommand) {
    const mayRun = isOpen(decidePermission(question())) && !plan.isBackground && !plan.inTerminal;
    const current = commandRules(rules?.current() ?? []);
    command = await assessSafely(plan, () => assessCommand(plan, current, { mayRun }));
  }
  return { verdict: await decideInSandbox(question, parts), command };
}

/** Whether only the analysis of a command decides: no rule for the tool, no mode and no protected place does. */
function isOpen(verdict: Verdict): boolean {
  return verdict.action === 'ask' && verdict.origin === 'mode';
}

/** Tries the sandbox only for a call that would ask without it. */
async function decideInSandbox(question: () => PermissionQuestion, { offerSandbox }: DecisionParts): Promise<Verdict> {
  const first = question();
  const verdict = decidePermission(first);
  if (verdict.action !== 'ask' || (verdict.origin !== 'mode' && verdict.origin !== 'unseen')) return verdict;
  if (!offerSandbox || !canBeSandboxed(first)) return verdict;
  const { plan } = first;
  const offer = await offerSandbox(plan.kind === 'command' ? plan.cwd.realPath : undefined);
  // Mode, trust and rules may have changed meanwhile.
  if (offer.ok) return decidePermission({ ...question(), sandbox: offer.confinement });
  return { ...verdict, reason: l10n.t('Asks because the sandbox cannot be used: {0}', offer.problem) };
}

/** The assessment of a command; one that fails makes the command ask. */
async function assessSafely(
  { cwd }: CommandPlan,
  assess: () => Promise<CommandAssessment>,
): Promise<CommandAssessment> {
  try {
    return await assess();
  } catch (error) {
    return {
      action: 'ask',
      reason: l10n.t('It could not be analysed: {0}', messageOf(error)),
      parts: [],
      programs: [],
      dangers: [],
      runsWorkspaceCode: false,
      remember: { ok: false },
      folder: cwd,
      environment: {},
      hasFailed: true,
    };
  }
}

type Asked = ApprovalDecision | { readonly action: 'failed'; readonly message: string };

async function askSafely(
  { toolUseId, toolName, signal }: PreToolUseEvent,
  plan: ApprovablePlan,
  question: Question,
  { ask }: DecisionParts,
): Promise<Asked> {
  try {
    return await ask({ toolUseId, toolName, plan, ...question }, { signal });
  } catch (error) {
    return { action: 'failed', message: messageOf(error) };
  }
}

function answer(plan: ApprovablePlan, asked: Asked, shown: readonly Question[]): Decision {
  switch (asked.action) {
    case 'allow':
      if (plan.kind === 'edits' && asked.editedTexts)
        return { action: 'allow', plan: withTexts(plan, asked.editedTexts), shown };
      if (asked.editedText === undefined) return { action: 'allow', shown, ...unmarked(plan) };
      if (plan.kind !== 'edit') return deny(unchangeableDenial(plan.kind));
      return { action: 'allow', plan: { ...plan, after: asked.editedText }, shown };
    case 'deny':
      return deny(userDenial(asked.reason));
    case 'cancelled':
      return deny(unansweredDenial);
    case 'failed':
      return deny(unaskedDenial(asked.message));
    default:
      return deny(unclearDenial);
  }
}

function withTexts(plan: EditsPlan, texts: EditedTexts): EditsPlan {
  return { ...plan, edits: plan.edits.map((edit, index) => ({ ...edit, after: texts[index] ?? edit.after })) };
}

/** A command that was judged to change nothing, and asks now, may change something. */
function unmarked(plan: ApprovablePlan): { readonly plan?: ApprovablePlan } {
  return plan.kind === 'command' && plan.isReadOnly ? { plan: { ...plan, isReadOnly: undefined } } : {};
}

/** Applies what the person allowed beyond this call. Only what was offered counts. */
async function grantMore(
  { remember, acceptsEdits }: AllowMore,
  offers: ApprovalOffers | undefined,
  { rules, runEdits }: DecisionParts,
): Promise<void> {
  if (acceptsEdits && offers?.acceptsEdits) runEdits?.accept();
  if (remember !== undefined && offers?.remember?.scopes.includes(remember)) {
    const { rules: texts, folder } = offers.remember;
    await rules?.allow({ rules: texts, folder: folder?.realPath }, remember);
  }
}

function deny(reason: string): Decision {
  return { action: 'deny', reason };
}
