import { BRANCH, type EntryOf, type SessionEntry } from '../../sdk/session/entries';
import type { SessionLog } from '../../sdk/session/sessionLog';
import { writeEpoch } from './sessionHead';
import type { Checkpoint } from '../../workspace/checkpoints/fileChange';

/** `before` a message: as if it had not been sent · `after` an entry: as when it was the newest. */
export type BranchPlace = { readonly before: string } | { readonly after: string };

/**
 * Writes that the conversation continues from another entry than the newest. Returns the id of the newest entry before.
 * Writes nothing and returns `undefined` when the entry does not exist.
 */
export function writeBranch(log: SessionLog, place: BranchPlace): string | undefined {
  const { entries } = log;
  const id = 'before' in place ? place.before : place.after;
  const entry = entries.find((candidate) => candidate.id === id);
  const newest = entries.at(-1);
  if (!entry || !newest) return undefined;
  writeEpoch(log, BRANCH, { parentId: 'before' in place ? beforeRun(entries, entry.parentId) : entry.id });
  return newest.id;
}

/** The restored files, and the entry that the conversation came from, if it was moved. */
export interface Restored {
  readonly checkpoints: readonly Checkpoint[];
  readonly cameFrom?: string | undefined;
}

/** The restore that an entry records. Files that were restored right before the conversation belong to it. */
export function restoredBy(entries: readonly SessionEntry[], id: string): Restored | undefined {
  const index = entries.findIndex((entry) => entry.id === id);
  const entry = entries[index];
  if (entry?.type === 'checkpoint' && entry.cause === 'restore') return { checkpoints: restoresFrom(entries, index) };
  if (entry?.type !== 'epoch' || entry.reason !== BRANCH) return undefined;
  let first = index;
  for (let before = entries[first - 1]; isRestore(before); before = entries[first - 1]) first -= 1;
  // The place before the files were restored: their notices are obsolete after the undo.
  const cameFrom = placeBehind(entries, entries[first - 1])?.id;
  return { checkpoints: entries.slice(first, index).filter(isRestore), ...(cameFrom !== undefined && { cameFrom }) };
}

/** Skips branches that were not continued: their notices, with an undo button, are obsolete after this undo. */
function placeBehind(entries: readonly SessionEntry[], entry: SessionEntry | undefined): SessionEntry | undefined {
  if (entry?.type !== 'epoch' || entry.reason !== BRANCH) return entry;
  const parent = entries.find(({ id }) => id === entry.parentId);
  return placeBehind(entries, parent) ?? entry;
}

/** A restore and the entries that correct it. */
function restoresFrom(entries: readonly SessionEntry[], index: number): readonly Checkpoint[] {
  const rest = entries.slice(index);
  const end = rest.findIndex((entry, at) => !isRestore(entry) || (at > 0 && entry.label !== ''));
  return rest.slice(0, end < 0 ? undefined : end).filter(isRestore);
}

function isRestore(entry: SessionEntry | undefined): entry is EntryOf<'checkpoint'> {
  return entry?.type === 'checkpoint' && entry.cause === 'restore';
}

/** The entry before the run of a message: a run without a following entry would count as lost. */
function beforeRun(entries: readonly SessionEntry[], parentId: string | null): string | null {
  const parent = entries.find(({ id }) => id === parentId);
  return parent?.type === 'status_update' && parent.status === 'RUNNING' ? parent.parentId : parentId;
}
