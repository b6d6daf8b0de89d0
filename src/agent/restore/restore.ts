import { visibleText } from '../../util/visibleText';
import type { ChangeCause, Checkpoint, FileState } from '../../workspace/checkpoints/fileChange';
import { planRestore, type RestoreItem } from '../../workspace/checkpoints/planRestore';
import type { FileContents } from '../../workspace/checkpoints/ports';
import { stateOf } from '../../workspace/checkpoints/fileState';
import { guardPath } from '../../workspace/paths/guardPath';
import type { FileSystem, Root } from '../../workspace/ports';

export interface RestoreAccess {
  readonly contents: FileContents;
  readonly fileSystem: FileSystem;
  readonly roots: readonly Root[];
}

/** What going back does to a file, in words for people. */
export interface RestoreChoice extends RestoreItem {
  readonly displayPath: string;
  /** What changed it last, of what the agent did. */
  readonly cause: ChangeCause;
  readonly label: string;
}

/**
 * What going back to before `checkpoints` would do. Only files of the workspace as it is open now count, whatever the
 * session's file says.
 */
export async function planRestoreOf(
  checkpoints: readonly Checkpoint[],
  { contents, fileSystem, roots }: RestoreAccess,
): Promise<readonly RestoreChoice[]> {
  const displayPaths = new Map<string, string>();
  const current = new Map<string, FileState>();
  for (const path of new Set(checkpoints.flatMap(({ changes }) => changes.map((change) => change.path)))) {
    const guarded = await guardPath(path, { roots, fileSystem });
    if (!guarded.ok || guarded.path.path !== path) continue;
    displayPaths.set(path, guarded.path.displayPath);
    current.set(path, stateOf(await contents.read(path)));
  }
  const changes = checkpoints.flatMap((checkpoint) => checkpoint.changes).filter(({ path }) => displayPaths.has(path));
  return planRestore(changes, current).map((item) => {
    const last = checkpoints.findLast((checkpoint) => checkpoint.changes.some(({ path }) => path === item.path));
    return {
      ...item,
      displayPath: displayPaths.get(item.path) ?? item.path,
      cause: last?.cause ?? 'edit',
      label: last?.label ?? '',
    };
  });
}

/** What happens to a file, in words for people; they go on after its name. */
export function describeRestore({ action, movedFrom, cause, label }: RestoreChoice): string {
  const by = cause === 'command' ? `, since “${visibleText(label, 'path').slice(0, 60)}”` : '';
  switch (action) {
    case 'write':
      return `earlier text comes back${by}`;
    case 'create':
      return movedFrom === undefined ? `comes back${by}` : `moves back${by}`;
    case 'delete':
      return `is deleted: it was not there then${by}`;
    default:
      return action satisfies never;
  }
}
