import { isSameState, type FileChange, type RecordCheckpoint } from './fileChange';
import type { RestoreItem } from './planRestore';
import type { BlobStore, FileContents } from './ports';
import { keep } from './fileState';
import { messageOf } from '../../util/errors';

export interface RestoreParts {
  readonly blobs: BlobStore;
  readonly contents: FileContents;
  readonly record: RecordCheckpoint;
  /** Removes the folders above a file that was deleted, where nothing else is in them. Absent: they stay. */
  readonly removeEmptyFolders?: ((path: string) => Promise<void>) | undefined;
}

export interface RestoreOutcome {
  readonly restored: readonly RestoreItem[];
  /** What stayed as it was, and why, for people. */
  readonly failed: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Brings files back, one by one and each of them whole. What they hold now is kept first, so that this can be undone;
 * when that fails, nothing is touched and the error is thrown. A file that is not as it was when the plan was made stays
 * as it is.
 */
export async function restoreFiles(
  items: readonly RestoreItem[],
  label: string,
  { blobs, contents, record, removeEmptyFolders }: RestoreParts,
): Promise<RestoreOutcome> {
  const changes: FileChange[] = [];
  for (const { path, current, target } of items) {
    const now = await keep(await contents.read(path), blobs);
    if (isSameState(now, current)) changes.push({ path, before: current, after: target });
  }
  if (changes.length > 0) await record({ cause: 'restore', label, changes });
  const intended = new Set(changes.map(({ path }) => path));
  const restored: RestoreItem[] = [];
  const failed: { path: string; message: string }[] = [];
  for (const item of inOrder(items)) {
    const message = intended.has(item.path)
      ? await restoreOne(item, blobs, contents)
      : 'It was changed while this was being decided.';
    if (message === undefined) restored.push(item);
    else failed.push({ path: item.path, message });
  }
  for (const { path, action } of restored) if (action === 'delete') await removeEmptyFolders?.(path);
  await recordFailures();
  return { restored, failed };

  /** What was announced and did not happen. */
  async function recordFailures(): Promise<void> {
    const undone: FileChange[] = [];
    for (const { path, current, target } of items) {
      if (!intended.has(path) || !failed.some((failure) => failure.path === path)) continue;
      undone.push({ path, before: target, after: current });
    }
    // Without a label: it only sets right what was announced.
    if (undone.length > 0) await record({ cause: 'restore', label: '', changes: undone });
  }
}

/**
 * What goes makes way last, so that nothing is gone before the other is there. But where case does not count, a name
 * cannot come back before the same in another case is gone.
 */
function inOrder(items: readonly RestoreItem[]): readonly RestoreItem[] {
  const coming = new Set(items.flatMap(({ action, path }) => (action === 'create' ? [path.toLowerCase()] : [])));
  const rank = ({ action, path }: RestoreItem): number =>
    action !== 'delete' ? 1 : coming.has(path.toLowerCase()) ? 0 : 2;
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** What went wrong, if anything did. */
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
    if (!bytes) return 'What it held then is not kept any more.';
    if ((now === undefined) !== (current === null)) return 'It was changed while this was being decided.';
    await contents.write(path, { bytes, isExecutable: target.isExecutable }, now);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
