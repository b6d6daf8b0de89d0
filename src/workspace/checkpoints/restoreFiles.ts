import * as l10n from '../../util/l10n';
import { isSameState, type FileChange, type RecordCheckpoint } from './fileChange';
import type { RestoreItem } from './planRestore';
import type { BlobStore, FileContents } from './ports';
import { keep } from './fileState';
import { messageOf } from '../../util/errors';

export interface RestoreParts<Item extends RestoreItem = RestoreItem> {
  readonly blobs: BlobStore;
  readonly contents: FileContents;
  readonly record: RecordCheckpoint;
  /** Why the item's path must not be used any more, for people; `undefined` if it still leads to the same place. */
  readonly findMove: (item: Item) => Promise<string | undefined>;
  /** Removes the empty folders above a deleted file. Absent: they stay. */
  readonly removeEmptyFolders?: ((path: string) => Promise<void>) | undefined;
}

export interface RestoreOutcome {
  readonly restored: readonly RestoreItem[];
  /** The files that stayed unchanged, and why; for people. */
  readonly failed: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Restores files, one after the other. Stores their current contents first, so the restore can be undone. If that fails, it
 * changes nothing and rejects. Files that changed or moved since the plan was made stay unchanged.
 */
export async function restoreFiles<Item extends RestoreItem>(
  items: readonly Item[],
  label: string,
  { blobs, contents, record, findMove, removeEmptyFolders }: RestoreParts<Item>,
): Promise<RestoreOutcome> {
  const changes: FileChange[] = [];
  const moved = new Map<string, string>();
  for (const item of items) {
    const { path, current, target } = item;
    const move = await findMove(item);
    if (move !== undefined) {
      moved.set(path, move);
      continue;
    }
    const now = await keep(await contents.read(path), blobs);
    if (isSameState(now, current)) changes.push({ path, before: current, after: target });
  }
  if (changes.length > 0) await record({ cause: 'restore', label, changes });
  const intended = new Set(changes.map(({ path }) => path));
  const restored: RestoreItem[] = [];
  const failed: { path: string; message: string }[] = [];
  for (const item of inOrder(items)) {
    const message = intended.has(item.path)
      ? ((await findMove(item)) ?? (await restoreOne(item, blobs, contents)))
      : (moved.get(item.path) ?? l10n.t('It was changed in the meantime.'));
    if (message === undefined) restored.push(item);
    else failed.push({ path: item.path, message });
  }
  for (const { path, action } of restored) if (action === 'delete') await removeEmptyFolders?.(path);
  await recordFailures();
  return { restored, failed };

  /** Records the changes back for restores that were recorded but failed. */
  async function recordFailures(): Promise<void> {
    const undone: FileChange[] = [];
    for (const { path, current, target } of items) {
      if (!intended.has(path) || !failed.some((failure) => failure.path === path)) continue;
      undone.push({ path, before: target, after: current });
    }
    // No label: this only corrects the record above.
    if (undone.length > 0) await record({ cause: 'restore', label: '', changes: undone });
  }
}

/**
 * Deletes last, so a failure never leaves a file missing. Exception: on a file system that ignores case, a name in another
 * case must be deleted before the file can be created.
 */
function inOrder<Item extends RestoreItem>(items: readonly Item[]): readonly Item[] {
  const coming = new Set(items.flatMap(({ action, path }) => (action === 'create' ? [path.toLowerCase()] : [])));
  const rank = ({ action, path }: RestoreItem): number =>
    action !== 'delete' ? 1 : coming.has(path.toLowerCase()) ? 0 : 2;
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns an error message, or `undefined`. */
async function restoreOne(
  { path, current, target }: RestoreItem,
  blobs: BlobStore,
  contents: FileContents,
): Promise<string | undefined> {
  try {
    const now = await contents.read(path);
    if (target === null) {
      if (now) await contents.remove(path, now);
      return undefined;
    }
    const bytes = await blobs.get(target.hash);
    if (!bytes) return l10n.t('Its earlier content is no longer stored.');
    if ((now === undefined) !== (current === null)) return l10n.t('It was changed in the meantime.');
    await contents.write(path, { bytes, isExecutable: target.isExecutable }, now);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
