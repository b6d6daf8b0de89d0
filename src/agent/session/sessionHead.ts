import type { EntryOf } from '../../sdk/session/entries';
import type { AppendPlace, SessionLog } from '../../sdk/session/sessionLog';
import { replayMessages } from '../../sdk/session/replay';
import type { SessionClient } from '../configuration/createClient';
import { titleOf, type Prompt } from './prompt';
import { epochNotice } from '../view/notices';
import type { SessionNotice } from '../view/sessionEvents';

/** What every request of a stretch of a session begins with, and where it goes. */
export type RequestTarget = Pick<EntryOf<'epoch'>, 'systemPrompt' | 'model' | 'baseUrl' | 'profile' | 'agent'>;

/** Writes the first entry of a new session. Without a target: no client could be made. */
export function writeHead(log: SessionLog, workspace: string | null, target?: RequestTarget): void {
  if (log.entries.length > 0) return;
  log.append({ type: 'system_message', workspace, ...(target ?? { systemPrompt: '', model: '', baseUrl: '' }) });
}

/**
 * Writes what the requests of a new client begin with, when that is not on file yet: as the head of a new session, or as
 * an epoch when there is a reason for one or the target is another one. Answers what the person should know of it.
 */
export function writeTarget(
  log: SessionLog,
  made: SessionClient,
  { workspace, reason }: { readonly workspace: string | null; readonly reason: string | undefined },
): SessionNotice | undefined {
  const target = targetOf(made);
  const known = findTarget(log);
  if (!known) {
    writeHead(log, workspace, target);
  } else {
    const omitsHistory = made.omitsHistory === true && replayMessages(log.entries).messages.length > 0;
    if (reason === undefined && !omitsHistory && isSame(known, target)) return undefined;
    const why = reason ?? (omitsHistory ? 'prompt' : 'resumed');
    log.append({ type: 'epoch', reason: why, ...target, ...(omitsHistory && { omitsHistory }) });
  }
  const written = findTarget(log);
  return written && epochNotice(written, known);
}

/** Writes that another epoch begins with the target that is on file; nothing when there is none. */
export function writeEpoch(log: SessionLog, reason: string, place?: AppendPlace): void {
  const known = findTarget(log);
  if (!known) return;
  const { systemPrompt, model, baseUrl, profile, agent } = known;
  log.append({ type: 'epoch', reason, ...withIds({ systemPrompt, model, baseUrl }, { profile, agent }) }, place);
}

/** Names a session that has no name yet after its prompt; answers the new name. */
export function writeTitle(log: SessionLog, { text, context = [] }: Prompt): string | undefined {
  if (log.entries.some(({ type }) => type === 'title')) return undefined;
  const title = titleOf(text) || titleOf(context[0]?.label ?? '');
  log.append({ type: 'title', title });
  return title;
}

function findTarget({ entries }: SessionLog): EntryOf<'system_message'> | EntryOf<'epoch'> | undefined {
  return entries.findLast((entry) => entry.type === 'system_message' || entry.type === 'epoch');
}

function targetOf({ client, profile, agent }: SessionClient): RequestTarget {
  const { systemPrompt, model, baseUrl } = client.options;
  return withIds({ systemPrompt, model, baseUrl }, { profile, agent });
}

function withIds(target: RequestTarget, { profile, agent }: Pick<SessionClient, 'profile' | 'agent'>): RequestTarget {
  return { ...target, ...(profile !== undefined && { profile }), ...(agent !== undefined && { agent }) };
}

function isSame(known: RequestTarget, target: RequestTarget): boolean {
  const fields = ['systemPrompt', 'model', 'baseUrl', 'profile', 'agent'] as const;
  return fields.every((field) => known[field] === target[field]);
}
