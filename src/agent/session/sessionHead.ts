import type { PendingPrompt } from './waitingPrompts';
import { replayMessages } from '../../sdk/session/replay';
import { findTarget, writeTarget, type RequestTarget } from '../../sdk/session/requestTarget';
import type { AppendPlace, SessionLog } from '../../sdk/session/sessionLog';
import type { SessionClient } from '../configuration/sessionClient';
import { titleOf, type Prompt } from './prompt';
import { epochNotice } from '../view/notices/notices';
import type { SessionNotice } from '../view/sessionView';

/** Writes the target of a new client where it is not on file yet. Returns what the person should know about it. */
export function writeClientTarget(
  log: SessionLog,
  { client, profile, agent, omitsHistory: mayOmit }: SessionClient,
  {
    workspace,
    reason,
    leavesOut,
  }: {
    readonly workspace: string | null;
    readonly reason: string | undefined;
    readonly leavesOut: readonly string[];
  },
): SessionNotice | undefined {
  const { systemPrompt, model, baseUrl } = client.options;
  const target = withIds({ systemPrompt, model, baseUrl }, { profile, agent, leavesOut });
  const known = findTarget(log);
  const omitsHistory = mayOmit === true && replayMessages(log.entries).messages.length > 0;
  if (!writeTarget(log, target, { workspace, reason, omitsHistory })) return undefined;
  const written = findTarget(log);
  return written && epochNotice(written, known);
}

/** Begins another epoch with the target on file; does nothing when there is none. */
export function writeEpoch(log: SessionLog, reason: string, place?: AppendPlace): void {
  const known = findTarget(log);
  if (!known) return;
  const { systemPrompt, model, baseUrl, profile, agent, leavesOut } = known;
  const target = withIds({ systemPrompt, model, baseUrl }, { profile, agent, leavesOut });
  log.append({ type: 'epoch', reason, ...target }, place);
}

/** Names a session without a name after its prompt. Returns the new name. */
export function writeTitle(
  log: SessionLog,
  { text, context = [], images = [] }: Omit<Prompt, 'images'> & Pick<PendingPrompt, 'images'>,
): string | undefined {
  if (log.entries.some(({ type }) => type === 'title')) return undefined;
  const title = titleOf(text) || titleOf(context[0]?.label ?? '') || titleOf(images[0]?.name ?? '');
  log.append({ type: 'title', title });
  return title;
}

function withIds(
  target: RequestTarget,
  { profile, agent, leavesOut = [] }: Pick<RequestTarget, 'profile' | 'agent' | 'leavesOut'>,
): RequestTarget {
  return {
    ...target,
    ...(profile !== undefined && { profile }),
    ...(agent !== undefined && { agent }),
    ...(leavesOut.length > 0 && { leavesOut }),
  };
}
