import type { HookDecision, PreToolUseEvent, PreToolUseHook } from '../../sdk/hooks';
import { assertNever } from '../../util/assertNever';
import type { CommandAssessment } from '../../workspace/shell/assessCommand';
import type { ResolvedProgram } from '../../workspace/shell/resolveProgram';
import type { ApprovalAsk, AllowMore, ApprovalDecision, ApprovalRequest, RunEdits } from './approver';
import { asApprovablePlan, type ApprovablePlan } from './approvablePlan';
import type { AssessCommand } from './commandAssessor';
import {
  stoppedDenial,
  unansweredDenial,
  unapprovableDenial,
  unaskedDenial,
  unchangeableDenial,
  unclearDenial,
  untrustedDenial,
  userDenial,
} from './denials';
import type { ApprovalOffers } from './offers';
import { decidePermission, type Verdict } from './permissions';
import type { PermissionMode } from '../view/permissionModes';
import { commandRules, type SessionRules } from './rules';
import type { UnseenEdits } from './unseenEdits';
import { messageOf } from '../../util/errors';

export interface ApprovalHookParts {
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
  /** Files that the agent changed and nobody has looked at. */
  readonly unseenEdits?: Pick<UnseenEdits, 'current' | 'add'> | undefined;
}

/**
 * The hook that decides whether a tool call runs: `decidePermission` decides, or has a person asked. A plan of an unknown
 * shape is denied, because nobody could be shown it. Every failure denies.
 */
export function createApprovalHook(parts: ApprovalHookParts): PreToolUseHook {
  const { ask, isTrusted, mode, assessCommand, rules, runEdits, unseenEdits } = parts;
  const judge = (toolName: string, plan: ApprovablePlan, command: CommandKnowledge): Verdict =>
    decidePermission({
      toolName,
      plan,
      mode: mode(),
      isTrusted: isTrusted(),
      command,
      rules: rules?.current() ?? [],
      acceptsEdits: runEdits?.areAccepted() ?? false,
      unseenEdits: unseenEdits?.current.map(({ displayPath }) => displayPath) ?? [],
    });
  return async (event) => {
    const { toolName } = event;
    if (event.signal.aborted) return deny(stoppedDenial);
    const plan = asApprovablePlan(event.plan);
    if (!plan) return deny(isTrusted() ? unapprovableDenial(toolName) : untrustedDenial);
    // An assessment reads files and repositories, which an untrusted workspace does not allow.
    const command =
      plan.kind === 'command' && isTrusted() && assessCommand
        ? await assessSafely(() => assessCommand(plan, commandRules(rules?.current() ?? [])))
        : undefined;
    if (event.signal.aborted) return deny(stoppedDenial);
    const verdict = judge(toolName, plan, command);
    switch (verdict.action) {
      case 'allow':
        if (plan.kind === 'edit') unseenEdits?.add(plan);
        return verdict.environment && plan.kind === 'command'
          ? { action: 'allow', plan: { ...plan, environment: verdict.environment } }
          : { action: 'allow' };
      case 'deny':
        return deny(verdict.forModel);
      case 'ask': {
        const question = describeQuestion(verdict, command, parts);
        const asked = await askSafely(ask, event, plan, question);
        // The answer may come much later: trust, mode and rules may have changed and refuse the call now.
        if (event.signal.aborted) return deny(stoppedDenial);
        const now = judge(toolName, plan, command);
        if (now.action === 'deny') return deny(now.forModel);
        const decision = answer(plan, asked);
        if (asked.action === 'allow' && decision.action === 'allow') await grantMore(asked, question.offers, parts);
        return decision;
      }
      default:
        return assertNever(verdict);
    }
  };
}

type Question = Pick<ApprovalRequest, 'reason' | 'isSensitive' | 'offers' | 'programs'>;

function describeQuestion(
  { reason, isSensitive, offers = {} }: Verdict & { readonly action: 'ask' },
  command: CommandKnowledge,
  { rules, runEdits }: ApprovalHookParts,
): Question {
  const scopes = offers.remember?.scopes.filter((scope) => rules?.scopes.includes(scope)) ?? [];
  const possible: ApprovalOffers = {
    ...(offers.remember && scopes.length > 0 && { remember: { ...offers.remember, scopes } }),
    ...(offers.acceptsEdits && runEdits && { acceptsEdits: true }),
  };
  const programs = command?.programs.map(describeProgram) ?? [];
  return {
    reason,
    ...(isSensitive && { isSensitive }),
    ...(Object.keys(possible).length > 0 && { offers: possible }),
    ...(programs.length > 0 && { programs }),
  };
}

function describeProgram(program: ResolvedProgram): string {
  switch (program.kind) {
    case 'program':
      return program.path;
    case 'builtin':
      return 'part of the shell';
    case 'unsafe':
      return program.reason;
    default:
      return assertNever(program);
  }
}

/** Applies what the person allowed beyond this call. Only what was offered counts. */
async function grantMore(
  { remember, acceptsEdits }: AllowMore,
  offers: ApprovalOffers | undefined,
  { rules, runEdits }: ApprovalHookParts,
): Promise<void> {
  if (acceptsEdits && offers?.acceptsEdits) runEdits?.accept();
  if (remember !== undefined && offers?.remember?.scopes.includes(remember)) {
    await rules?.allow(offers.remember.rules, remember);
  }
}

type CommandKnowledge = CommandAssessment | undefined;

/** The assessment of a command; one that fails makes the command ask. */
async function assessSafely(assess: () => Promise<CommandAssessment>): Promise<CommandAssessment> {
  try {
    return await assess();
  } catch (error) {
    const message = messageOf(error);
    const reason = `It could not be analysed: ${message}`;
    return {
      action: 'ask',
      reason,
      parts: [],
      programs: [],
      runsWorkspaceCode: false,
      remember: { ok: false },
      environment: {},
    };
  }
}

type Asked = ApprovalDecision | { readonly action: 'failed'; readonly message: string };

async function askSafely(
  ask: ApprovalAsk,
  { toolUseId, toolName, signal }: PreToolUseEvent,
  plan: ApprovablePlan,
  question: Question,
): Promise<Asked> {
  try {
    return await ask({ toolUseId, toolName, plan, ...question }, { signal });
  } catch (error) {
    return { action: 'failed', message: messageOf(error) };
  }
}

function answer(plan: ApprovablePlan, asked: Asked): HookDecision {
  switch (asked.action) {
    case 'allow':
      if (asked.editedText === undefined) return { action: 'allow' };
      if (plan.kind !== 'edit') return deny(unchangeableDenial(plan.kind));
      return { action: 'allow', plan: { ...plan, after: asked.editedText } };
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

function deny(reason: string): HookDecision {
  return { action: 'deny', reason };
}
