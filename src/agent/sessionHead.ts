import type { EntryOf } from '../sdk/session/entries';
import type { SessionLog } from '../sdk/session/sessionLog';
import { titleOf, type Prompt } from './prompt';

/** What every request of a stretch of a session begins with, and where it goes. */
export type RequestTarget = Pick<EntryOf<'epoch'>, 'systemPrompt' | 'model' | 'baseUrl'>;

/** Writes the first entry of a new session. Without a target: no client could be made. */
export function writeHead(log: SessionLog, workspace: string | null, target?: RequestTarget): void {
  if (log.entries.length > 0) return;
  const { systemPrompt, model, baseUrl } = target ?? { systemPrompt: '', model: '', baseUrl: '' };
  log.append({ type: 'system_message', workspace, systemPrompt, model, baseUrl });
}

/** Writes that another epoch begins, when there is a reason or when the target is not the one on file. */
export function writeEpoch(log: SessionLog, target: RequestTarget, reason: string | undefined): void {
  const known = log.entries.findLast((entry) => entry.type === 'system_message' || entry.type === 'epoch');
  if (!known || (reason === undefined && isSame(known, target))) return;
  const { systemPrompt, model, baseUrl } = target;
  log.append({ type: 'epoch', reason: reason ?? 'resumed', systemPrompt, model, baseUrl });
}

/** Names a session that has no name yet after its prompt; answers the new name. */
export function writeTitle(log: SessionLog, { text, context = [] }: Prompt): string | undefined {
  if (log.entries.some(({ type }) => type === 'title')) return undefined;
  const title = titleOf(text) || titleOf(context[0]?.label ?? '');
  log.append({ type: 'title', title });
  return title;
}

function isSame(known: RequestTarget, target: RequestTarget): boolean {
  return known.systemPrompt === target.systemPrompt && known.model === target.model && known.baseUrl === target.baseUrl;
}
