import { isSameState, type FileChange, type FileState } from './fileChange';

/** What going back does to one file. */
export interface RestoreItem {
  readonly path: string;
  /** `write`: other content · `create`: it is not there now · `delete`: it was not there then. */
  readonly action: 'write' | 'create' | 'delete';
  readonly current: FileState;
  readonly target: FileState;
  /** It is not as the agent left it: somebody else changed it since. */
  readonly isChangedSince: boolean;
  /** For `create`: the file that has the same content now and is to be deleted. */
  readonly movedFrom?: string | undefined;
}

/** Where each file was before all of `changes`, and as the last of them left it. They are in the order they happened. */
export function spanOf(changes: readonly FileChange[]): ReadonlyMap<string, Omit<FileChange, 'path'>> {
  const spans = new Map<string, Omit<FileChange, 'path'>>();
  for (const { path, before, after } of changes) {
    const earlier = spans.get(path);
    spans.set(path, { before: earlier ? earlier.before : before, after });
  }
  return spans;
}

/**
 * What has to be done to have every file as it was before `changes`. Files that are like that already are left out.
 * `current` says how the files of `changes` are now.
 */
export function planRestore(
  changes: readonly FileChange[],
  current: ReadonlyMap<string, FileState>,
): readonly RestoreItem[] {
  const items: RestoreItem[] = [];
  for (const [path, { before: target, after }] of spanOf(changes)) {
    const now = current.get(path) ?? null;
    if (isSameState(now, target)) continue;
    const action = target === null ? 'delete' : now === null ? 'create' : 'write';
    items.push({ path, action, current: now, target, isChangedSince: !isSameState(now, after) });
  }
  return items.map((item) => withOrigin(item, items)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function withOrigin(item: RestoreItem, items: readonly RestoreItem[]): RestoreItem {
  if (item.action !== 'create') return item;
  const origin = items.find(({ action, current }) => action === 'delete' && current?.hash === item.target?.hash);
  return origin ? { ...item, movedFrom: origin.path } : item;
}
