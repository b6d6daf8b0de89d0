import * as z from 'zod';
import type { HookDecision, PreToolUseEvent, PreToolUseHook } from '../../sdk/hooks';
import { assertNever } from '../../util/assertNever';
import type { CommandAssessment } from '../../workspace/shell/assessCommand';
import type { ResolvedProgram } from '../../workspace/shell/resolveProgram';
import type { ApprovalAsk } from '../configuration/createClient';
import type { ApprovablePlan } from './approvablePlan';
import type { AllowMore, ApprovalDecision, ApprovalRequest, RunEdits } from './approver';
import type { AssessCommand } from './commandAssessor';
import {
  decidePermission,
  untrustedMessage,
  type ApprovalOffers,
  type PermissionMode,
  type Verdict,
} from './permissions';
import { commandRules, type SessionRules } from './rules';
import type { UnseenEdits } from './unseenEdits';
import { messageOf } from '../../util/errors';

export interface ApprovalHookParts {
  /** Asks whoever decides. A rejection counts as a denial. */
  readonly ask: ApprovalAsk;
  /** Read anew for every call: trust can be granted and taken away while a session lives. */
  readonly isTrusted: () => boolean;
  /** Read anew for every call: it can be switched while a session lives. */
  readonly mode: () => PermissionMode;
  /** Looks at a command before it is decided about. Absent: every command asks. */
  readonly assessCommand?: AssessCommand | undefined;
  /** What was allowed, asked about and forbidden in this session. Absent: nothing, and nothing can be remembered. */
  readonly rules?: SessionRules | undefined;
  /** Whether the rest of the run's ordinary edits are accepted. Absent: that is not offered. */
  readonly runEdits?: RunEdits | undefined;
  /** What the agent changed behind the person's back. */
  readonly unseenEdits?: Pick<UnseenEdits, 'current' | 'add'> | undefined;
}

/**
 * The hook that decides whether a tool call runs, by `decidePermission` or by whoever that has it ask. A plan that
 * nobody could be shown is denied. Whatever goes wrong on the way denies.
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
    if (event.signal.aborted) return deny(STOPPED);
    const plan = asApprovablePlan(event.plan);
    if (!plan) return deny(isTrusted() ? `${toolName} prepared something that nobody can approve.` : untrustedMessage);
    // Nobody looks at files or repositories of a workspace that is not trusted.
    const command =
      plan.kind === 'command' && isTrusted() && assessCommand
        ? await assessSafely(() => assessCommand(plan, commandRules(rules?.current() ?? [])))
        : undefined;
    if (event.signal.aborted) return deny(STOPPED);
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
        // An answer can come a long time after the question, and what was open to approval then may be refused now.
        if (event.signal.aborted) return deny(STOPPED);
        const now = judge(toolName, plan, command);
        if (now.action === 'deny') return deny(now.forModel);
        const decision = decide(plan, asked);
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

/** What the person allowed beyond this call. Only what was offered counts, whatever the answer says. */
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

const STOPPED = 'The run was stopped before this was decided.';

type CommandKnowledge = CommandAssessment | undefined;

/** What is known of a command; where it cannot be looked at, that it asks. */
async function assessSafely(assess: () => Promise<CommandAssessment>): Promise<CommandAssessment> {
  try {
    return await assess();
  } catch (error) {
    const message = messageOf(error);
    const reason = `What it does could not be found out: ${message}`;
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

function decide(plan: ApprovablePlan, asked: Asked): HookDecision {
  switch (asked.action) {
    case 'allow':
      return allow(plan, asked.editedText);
    case 'deny': {
      const words = asked.reason?.trim();
      return deny(words || 'The user said no.');
    }
    case 'cancelled':
      return deny('The question was closed before anybody answered it.');
    case 'failed':
      return deny(`Nobody could be asked: ${asked.message}`);
    default:
      return deny('The answer to the question was not understood.');
  }
}

function allow(plan: ApprovablePlan, editedText: string | undefined): HookDecision {
  if (editedText === undefined) return { action: 'allow' };
  if (plan.kind !== 'edit')
    return deny(
      `A ${plan.kind === 'command' || plan.kind === 'read' ? plan.kind : 'call'} cannot be changed while it is approved.`,
    );
  return { action: 'allow', plan: { ...plan, after: editedText } };
}

function deny(reason: string): HookDecision {
  return { action: 'deny', reason };
}

const Target = z.looseObject({
  path: z.string(),
  realPath: z.string(),
  displayPath: z.string(),
  pathInRoot: z.string().nullable(),
  exists: z.boolean(),
});

const Plan = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('read'), target: Target }),
  z.looseObject({
    kind: z.literal('edit'),
    operation: z.enum(['edit', 'create', 'overwrite']),
    target: Target,
    before: z.string().nullable(),
    after: z.string(),
    proposed: z.string(),
  }),
  z.looseObject({ kind: z.literal('command'), command: z.string(), cwd: Target, timeoutMs: z.number() }),
  z.looseObject({
    kind: z.literal('mcp'),
    server: z.string(),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    isReadOnly: z.boolean(),
  }),
  z.looseObject({
    kind: z.literal('extension'),
    extension: z.string().nullable(),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
]);

/** The plan itself, not a copy: what is approved is what runs. A tool from elsewhere may have prepared anything. */
function asApprovablePlan(plan: unknown): ApprovablePlan | undefined {
  return Plan.safeParse(plan).success ? (plan as ApprovablePlan) : undefined;
}
