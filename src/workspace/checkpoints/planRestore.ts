import { isSameState, type FileChange, type FileState } from './fileChange';

/** How a restore changes one file. */
export interface RestoreItem {
  readonly path: string;
  /** `write`: the content differs. `create`: it does not exist now. `delete`: it did not exist then. */
  readonly action: 'write' | 'create' | 'delete';
  readonly current: FileState;
  readonly target: FileState;
  /** Somebody else changed the file after the agent. */
  readonly isChangedSince: boolean;
  /** For `create`: the file to delete that has the same content now. */
  readonly movedFrom?: string | undefined;
}

/** The state of each file before and after all of `changes`, which are in the order of time. */
export function spanOf(changes: readonly FileChange[]): ReadonlyMap<string, Omit<FileChange, 'path'>> {
  const spans = new Map<string, Omit<FileChange, 'path'>>();
  for (const { path, before, after } of changes) {
    const earlier = spans.get(path);
    spans.set(path, { before: earlier ? earlier.before : before, after });
  }
  return spans;
}

/**
 * The items that bring every file back to its state before `changes`. Leaves out files that have this state already.
 * `current` has the current states of these files.
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
