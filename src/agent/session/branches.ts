import { BRANCH, type EntryOf, type SessionEntry } from '../../sdk/session/entries';
import type { SessionLog } from '../../sdk/session/sessionLog';
import { writeEpoch } from './sessionHead';
import type { Checkpoint } from '../../workspace/checkpoints/fileChange';

/** `before` a message: as if it had not been sent yet · `after` an entry: as it was when that was the newest. */
export type BranchPlace = { readonly before: string } | { readonly after: string };

/**
 * Writes that the conversation goes on from another entry than the newest. Answers the id of what was newest;
 * `undefined`, with nothing written, when there is no such entry.
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

/** What was taken back, and where the conversation was before, when it was that. */
export interface Restored {
  readonly checkpoints: readonly Checkpoint[];
  readonly cameFrom?: string | undefined;
}

/** What the entry with this id took back. Files that went back right before the conversation belong to it. */
export function restoredBy(entries: readonly SessionEntry[], id: string): Restored | undefined {
  const index = entries.findIndex((entry) => entry.id === id);
  const entry = entries[index];
  if (entry?.type === 'checkpoint' && entry.cause === 'restore') return { checkpoints: restoresFrom(entries, index) };
  if (entry?.type !== 'epoch' || entry.reason !== BRANCH) return undefined;
  let first = index;
  for (let before = entries[first - 1]; isRestore(before); before = entries[first - 1]) first -= 1;
  // From before the files went back: what it shows of them is over once that is undone.
  const cameFrom = placeBehind(entries, entries[first - 1])?.id;
  return { checkpoints: entries.slice(first, index).filter(isRestore), ...(cameFrom !== undefined && { cameFrom }) };
}

/** Where a branch that nobody has gone on with begins: its own notice, with its undo, is over once this is undone. */
function placeBehind(entries: readonly SessionEntry[], entry: SessionEntry | undefined): SessionEntry | undefined {
  if (entry?.type !== 'epoch' || entry.reason !== BRANCH) return entry;
  const parent = entries.find(({ id }) => id === entry.parentId);
  return placeBehind(entries, parent) ?? entry;
}

/** A restore, and what sets right what it announced and could not do. */
function restoresFrom(entries: readonly SessionEntry[], index: number): readonly Checkpoint[] {
  const rest = entries.slice(index);
  const end = rest.findIndex((entry, at) => !isRestore(entry) || (at > 0 && entry.label !== ''));
  return rest.slice(0, end < 0 ? undefined : end).filter(isRestore);
}

function isRestore(entry: SessionEntry | undefined): entry is EntryOf<'checkpoint'> {
  return entry?.type === 'checkpoint' && entry.cause === 'restore';
}

/** The message's run had begun when it was written, and a run that only began would count as lost. */
function beforeRun(entries: readonly SessionEntry[], parentId: string | null): string | null {
  const parent = entries.find(({ id }) => id === parentId);
  return parent?.type === 'status_update' && parent.status === 'RUNNING' ? parent.parentId : parentId;
}
