import * as z from 'zod';
import type { HookDecision, PreToolUseEvent, PreToolUseHook } from '../../sdk/hooks';
import { assertNever } from '../../util/assertNever';
import type { CommandPlan, EditPlan, WorkspacePlan } from '../../workspace/plans';
import type { ApprovalAsk } from '../createClient';
import type { ApprovalDecision } from './approver';

export interface ApprovalHookParts {
  /** Asks whoever decides. A rejection counts as a denial. */
  readonly ask: ApprovalAsk;
  /** Read anew for every call: trust can be granted and taken away while a session lives. */
  readonly isTrusted: () => boolean;
}

/**
 * The hook that decides whether a tool call runs. Reading runs (the path guard has already kept it inside the
 * workspace), every edit and every command asks, an untrusted workspace and everything unknown is denied. Whatever
 * goes wrong on the way denies.
 */
export function createApprovalHook({ ask, isTrusted }: ApprovalHookParts): PreToolUseHook {
  return async (event) => {
    if (event.signal.aborted) return deny(STOPPED);
    if (!isTrusted()) return deny(UNTRUSTED);
    const plan = asWorkspacePlan(event.plan);
    if (!plan) return deny(`${event.toolName} prepared something that nobody can approve.`);
    switch (plan.kind) {
      case 'read':
        return { action: 'allow' };
      case 'edit':
      case 'command':
        return decide(plan, await askSafely(ask, event, plan), event, isTrusted);
      default:
        return assertNever(plan);
    }
  };
}

const STOPPED = 'The run was stopped before this was decided.';

const UNTRUSTED =
  'This workspace is not trusted, so no tool may run in it. Answer from what is in the conversation. Tell the user ' +
  'that files can be read and changed after "Workspaces: Manage Workspace Trust" in VS Code.';

type Asked = ApprovalDecision | { readonly action: 'failed'; readonly message: string };

async function askSafely(ask: ApprovalAsk, event: PreToolUseEvent, plan: EditPlan | CommandPlan): Promise<Asked> {
  try {
    const { toolUseId, toolName } = event;
    return await ask({ toolUseId, toolName, plan, reason: reasonToAsk(plan) }, { signal: event.signal });
  } catch (error) {
    return { action: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

function reasonToAsk(plan: EditPlan | CommandPlan): string {
  return plan.kind === 'edit' ? 'Edits always ask' : 'Commands always ask';
}

function decide(
  plan: EditPlan | CommandPlan,
  asked: Asked,
  event: PreToolUseEvent,
  isTrusted: () => boolean,
): HookDecision {
  // An answer can come a long time after the question.
  if (event.signal.aborted) return deny(STOPPED);
  if (!isTrusted()) return deny(UNTRUSTED);
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

function allow(plan: EditPlan | CommandPlan, editedText: string | undefined): HookDecision {
  if (editedText === undefined) return { action: 'allow' };
  if (plan.kind !== 'edit') return deny('A command cannot be changed while it is approved.');
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
