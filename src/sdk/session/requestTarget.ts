import type { EntryOf } from './entries';
import type { SessionLog } from './sessionLog';

/** The start of all requests of an epoch, and their server. */
export type RequestTarget = Pick<
  EntryOf<'epoch'>,
  'systemPrompt' | 'model' | 'baseUrl' | 'profile' | 'agent' | 'leavesOut'
>;

/** The newest target on file. */
export function findTarget({ entries }: SessionLog): EntryOf<'system_message'> | EntryOf<'epoch'> | undefined {
  return entries.findLast((entry) => entry.type === 'system_message' || entry.type === 'epoch');
}

/**
 * Writes the target of a new client: as the first entry of a new session, otherwise as an epoch. Writes no epoch when the
 * target is the one on file, unless there is a `reason` or the history is omitted. Returns whether it wrote an entry.
 */
export function writeTarget(
  log: SessionLog,
  target: RequestTarget,
  options: {
    readonly workspace: string | null;
    readonly reason?: string | undefined;
    readonly omitsHistory?: boolean | undefined;
  },
): boolean {
  const { workspace, reason, omitsHistory = false } = options;
  const known = findTarget(log);
  if (!known) {
    log.append({ type: 'system_message', workspace, ...target });
    return true;
  }
  if (reason === undefined && !omitsHistory && isSame(known, target)) return false;
  const why = reason ?? (omitsHistory ? 'prompt' : 'resumed');
  log.append({ type: 'epoch', reason: why, ...target, ...(omitsHistory && { omitsHistory }) });
  return true;
}

/** Whether two targets have the same requests, whichever profile and agent made them. */
export function hasSameRequests(known: RequestTarget, target: RequestTarget): boolean {
  const fields = ['systemPrompt', 'model', 'baseUrl'] as const;
  return fields.every((field) => known[field] === target[field]);
}

function isSame(known: RequestTarget, target: RequestTarget): boolean {
  const isSameChoice = (known.leavesOut ?? []).join('\n') === (target.leavesOut ?? []).join('\n');
  return (
    isSameChoice && hasSameRequests(known, target) && known.profile === target.profile && known.agent === target.agent
  );
}
