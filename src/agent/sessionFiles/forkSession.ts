import * as l10n from '../../util/l10n';
import { ENTRY_VERSION, type SessionEntry } from '../../sdk/session/entries';
import { entryLine } from '../../sdk/session/parseEntry';
import type { StoredImage } from '../../sdk/session/images/storedImage';
import { branchOf } from '../../sdk/session/replay';

export interface ForkOptions {
  readonly sessionId: string;
  /** The copy ends before this prompt. Absent: all is copied. */
  readonly beforeId?: string | undefined;
  readonly workspace: string | null;
  readonly now: () => number;
  readonly newId: () => string;
}

export interface Fork {
  /** The text of the new session's file. */
  readonly text: string;
  /** The text of the prompt that the copy ends before. */
  readonly prompt: string | undefined;
  /** The images of that prompt. Absent: none. */
  readonly images?: readonly StoredImage[] | undefined;
}

/** Copies a session's newest branch, up to a prompt. Throws when the prompt is not in it. */
export function forkSession(entries: readonly SessionEntry[], options: ForkOptions): Fork {
  const { sessionId, beforeId, workspace, now, newId } = options;
  const branch = branchOf(entries);
  const end = beforeId === undefined ? branch.length : branch.findIndex(({ id }) => id === beforeId);
  if (end < 0) throw new Error('The message to fork from is not in the session.');
  const at = branch[end];
  // A run that has only begun has done nothing yet.
  let length = end;
  while (isRunStart(branch[length - 1])) length -= 1;
  const copied = branch.slice(0, length);

  const forkedFrom = { sessionId, entryId: copied.at(-1)?.id ?? null };
  const head = branch.find((entry) => entry.type === 'system_message');
  const result: SessionEntry[] = [];
  const add = (entry: SessionEntry): void => {
    result.push({ ...entry, seq: result.length, parentId: result.at(-1)?.id ?? null });
  };
  const begin = { v: ENTRY_VERSION, parentId: null, seq: 0 };
  const empty = { type: 'system_message', systemPrompt: '', model: '', baseUrl: '' } as const;
  // The person begins this session, even if a program began the other.
  const { origin: _origin, ...target } = head ?? { ...begin, ...empty, origin: undefined };
  add({ ...target, ...begin, id: newId(), ts: now(), workspace, forkedFrom });
  // A prompt that waits in the other session is not sent in this one.
  for (const entry of copied) if (entry.type !== 'system_message' && entry.type !== 'waiting_prompt') add(entry);

  // A run of the other session does not continue in this one.
  const status = copied.findLast((entry) => entry.type === 'status_update')?.status;
  if (status === 'RUNNING') add({ ...begin, id: newId(), ts: now(), type: 'status_update', status: 'CANCELED' });
  const title = branch.findLast((entry) => entry.type === 'title')?.title ?? l10n.t('Untitled session');
  add({ ...begin, id: newId(), ts: now(), type: 'title', title: l10n.t('{0} (fork)', title) });
  const text = result.map((entry) => `${entryLine(entry)}\n`).join('');
  if (at?.type !== 'user_message') return { text, prompt: undefined };
  return { text, prompt: at.text, ...(at.images && { images: at.images }) };
}

function isRunStart(entry: SessionEntry | undefined): boolean {
  return entry?.type === 'status_update' && entry.status === 'RUNNING';
}
