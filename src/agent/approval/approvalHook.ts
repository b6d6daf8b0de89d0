import * as z from 'zod';
import type { HookDecision, PreToolUseEvent, PreToolUseHook } from '../../sdk/hooks';
import { assertNever } from '../../util/assertNever';
import type { WorkspacePlan } from '../../workspace/plans';
import type { ApprovalAsk } from '../createClient';
import type { ApprovalDecision } from './approver';
import type { AssessCommand } from './commandAssessor';
import {
  decidePermission,
  untrustedMessage,
  type PermissionMode,
  type PermissionQuestion,
  type Verdict,
} from './permissions';

export interface ApprovalHookParts {
  /** Asks whoever decides. A rejection counts as a denial. */
  readonly ask: ApprovalAsk;
  /** Read anew for every call: trust can be granted and taken away while a session lives. */
  readonly isTrusted: () => boolean;
  /** Read anew for every call: it can be switched while a session lives. */
  readonly mode: () => PermissionMode;
  /** Looks at a command before it is decided about. Absent: every command asks. */
  readonly assessCommand?: AssessCommand | undefined;
}

/**
 * The hook that decides whether a tool call runs, by `decidePermission` or by whoever that has it ask. A plan that is
 * none of the workspace's is denied. Whatever goes wrong on the way denies.
 */
export function createApprovalHook({ ask, isTrusted, mode, assessCommand }: ApprovalHookParts): PreToolUseHook {
  const judge = (plan: WorkspacePlan, command: CommandKnowledge): Verdict =>
    decidePermission({ plan, mode: mode(), isTrusted: isTrusted(), command });
  return async (event) => {
    if (event.signal.aborted) return deny(STOPPED);
    const plan = asWorkspacePlan(event.plan);
    if (!plan)
      return deny(isTrusted() ? `${event.toolName} prepared something that nobody can approve.` : untrustedMessage);
    // Nobody looks at files or repositories of a workspace that is not trusted.
    const command = isTrusted() ? await assessSafely(assessCommand, plan) : undefined;
    if (event.signal.aborted) return deny(STOPPED);
    const verdict = judge(plan, command);
    switch (verdict.action) {
      case 'allow':
        return verdict.environment && plan.kind === 'command'
          ? { action: 'allow', plan: { ...plan, environment: verdict.environment } }
          : { action: 'allow' };
      case 'deny':
        return deny(verdict.forModel);
      case 'ask': {
        const asked = await askSafely(ask, event, plan, verdict.reason);
        // An answer can come a long time after the question, and what was open to approval then may be refused now.
        if (event.signal.aborted) return deny(STOPPED);
        const now = judge(plan, command);
        return now.action === 'deny' ? deny(now.forModel) : decide(plan, asked);
      }
      default:
        return assertNever(verdict);
    }
  };
}

const STOPPED = 'The run was stopped before this was decided.';

type CommandKnowledge = PermissionQuestion['command'];

/** What is known of a command; where it cannot be looked at, that it asks. */
async function assessSafely(assess: AssessCommand | undefined, plan: WorkspacePlan): Promise<CommandKnowledge> {
  if (!assess || plan.kind !== 'command') return undefined;
  try {
    return await assess(plan);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { action: 'ask', reason: `What it does could not be found out: ${message}`, environment: {} };
  }
}

type Asked = ApprovalDecision | { readonly action: 'failed'; readonly message: string };

async function askSafely(
  ask: ApprovalAsk,
  { toolUseId, toolName, signal }: PreToolUseEvent,
  plan: WorkspacePlan,
  reason: string,
): Promise<Asked> {
  try {
    return await ask({ toolUseId, toolName, plan, reason }, { signal });
  } catch (error) {
    return { action: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

function decide(plan: WorkspacePlan, asked: Asked): HookDecision {
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

function allow(plan: WorkspacePlan, editedText: string | undefined): HookDecision {
  if (editedText === undefined) return { action: 'allow' };
  if (plan.kind !== 'edit') return deny(`A ${plan.kind} cannot be changed while it is approved.`);
  return { action: 'allow', plan: { ...plan, after: editedText } };
}

function deny(reason: string): HookDecision {
  return { action: 'deny', reason };
}

const Target = z.looseObject({ path: z.string(), realPath: z.string(), displayPath: z.string(), exists: z.boolean() });

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
]);

/** The plan itself, not a copy: what is approved is what runs. A tool from elsewhere may have prepared anything. */
function asWorkspacePlan(plan: unknown): WorkspacePlan | undefined {
  return Plan.safeParse(plan).success ? (plan as WorkspacePlan) : undefined;
}
