import { assertNever } from '../../util/assertNever';
import type { CommandAssessment } from '../../workspace/shell/assessCommand';
import type { EditPlan, GuardedPath, WorkspacePlan } from '../../workspace/plans';
import { holdsSecrets, protectionTier } from '../../workspace/protectedPaths';

/**
 * How far the agent may go by itself. `plan`: reading only. `ask`: reading runs, the rest asks. `acceptEdits`: ordinary
 * edits inside the workspace run as well.
 */
export const permissionModes = ['plan', 'ask', 'acceptEdits'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What is to be decided. */
export interface PermissionQuestion {
  readonly plan: WorkspacePlan;
  readonly mode: PermissionMode;
  readonly isTrusted: boolean;
  /** What is known of a command. Absent: nothing, so that it asks. */
  readonly command?: Pick<CommandAssessment, 'action' | 'reason' | 'environment'> | undefined;
}

/** What made the decision. */
export type VerdictOrigin = 'trust' | 'mode' | 'protected' | 'reading' | 'command';

/**
 * `allow`: it runs; a command with `environment` on top of its own. `ask`: a person decides, and `reason` tells them why they are asked. `deny`: nothing runs; `reason` tells people,
 * `forModel` what the model should do instead.
 */
export type Verdict =
  | {
      readonly action: 'allow';
      readonly origin: VerdictOrigin;
      readonly environment?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly action: 'ask'; readonly origin: VerdictOrigin; readonly reason: string }
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
  return { action: 'ask', origin: 'mode', reason: reasonToAsk(question) };
}

const STEPS: readonly ((question: PermissionQuestion) => Verdict | undefined)[] = [
  requireTrust,
  refuseForbiddenCommand,
  refuseInPlanMode,
  askAboutProtected,
  allowReading,
  allowOrdinaryEdits,
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

function refuseForbiddenCommand({ plan, command }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'command' || command?.action !== 'deny') return undefined;
  const { reason } = command;
  return {
    action: 'deny',
    origin: 'command',
    reason,
    forModel: `${reason}. Do not try it in another way; tell the user.`,
  };
}

function refuseInPlanMode({ plan, mode }: PermissionQuestion): Verdict | undefined {
  if (mode !== 'plan' || plan.kind === 'read') return undefined;
  const what = plan.kind === 'edit' ? 'Edits' : 'Commands';
  return {
    action: 'deny',
    origin: 'mode',
    reason: `${what} are refused in plan mode`,
    forModel:
      `The session is in plan mode: ${what.toLowerCase()} are refused. Asking again or in another way changes nothing. ` +
      'Read what you still need, then describe to the user, step by step, what you would change and run.',
  };
}

function askAboutProtected({ plan }: PermissionQuestion): Verdict | undefined {
  if (plan.kind === 'command') return undefined;
  const paths = namesOf(plan.target);
  const { displayPath } = plan.target;
  if (plan.kind === 'read') {
    if (!paths.some(holdsSecrets)) return undefined;
    return { action: 'ask', origin: 'protected', reason: `${displayPath} may hold secrets, so reading it always asks` };
  }
  const tiers = paths.map(protectionTier);
  if (tiers.includes(1)) {
    const reason = `${displayPath} can run programs or hold secrets, so changing it always asks`;
    return { action: 'ask', origin: 'protected', reason };
  }
  if (tiers.includes(2)) {
    const reason = `${displayPath} decides what is built, tested or run, so changing it asks in every mode`;
    return { action: 'ask', origin: 'protected', reason };
  }
  return undefined;
}

/** The path guard has already kept it inside the workspace. */
function allowReading({ plan }: PermissionQuestion): Verdict | undefined {
  return plan.kind === 'read' ? { action: 'allow', origin: 'reading' } : undefined;
}

function allowOrdinaryEdits({ plan, mode }: PermissionQuestion): Verdict | undefined {
  if (mode !== 'acceptEdits' || plan.kind !== 'edit' || !isOrdinary(plan)) return undefined;
  return { action: 'allow', origin: 'mode' };
}

function allowKnownCommand({ plan, command }: PermissionQuestion): Verdict | undefined {
  if (plan.kind !== 'command' || command?.action !== 'allow') return undefined;
  return { action: 'allow', origin: 'command', environment: command.environment };
}

/** To write a whole file anew is a way to lose what was in it, and a place that is only like the quoted one may be another. */
function isOrdinary({ operation, match }: EditPlan): boolean {
  return match !== 'near' && (operation === 'edit' || operation === 'create');
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
      return command?.reason ?? 'Commands always ask';
    default:
      return assertNever(plan);
  }
}

/** The path below its folder and, when a link led elsewhere, the whole real path. */
function namesOf({ displayPath, realPath }: GuardedPath): readonly string[] {
  // The folder itself is what the person opened, wherever it is.
  if (displayPath === '.') return [];
  const real = realPath.replaceAll('\\', '/');
  return real.endsWith(`/${displayPath}`) ? [displayPath] : [displayPath, real];
}
