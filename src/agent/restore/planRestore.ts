import * as l10n from '../../util/l10n';
import { visibleText } from '../../util/text/visibleText';
import type { ChangeCause, Checkpoint, FileState } from '../../workspace/checkpoints/fileChange';
import { planRestore, type RestoreItem } from '../../workspace/checkpoints/planRestore';
import type { BlobStore, FileContents } from '../../workspace/checkpoints/ports';
import { stateOf } from '../../workspace/checkpoints/fileState';
import { guardPath } from '../../workspace/paths/guardPath';
import type { GuardedPath } from '../../workspace/plans';
import type { FileSystem, Root } from '../../workspace/ports';

export interface RestoreAccess {
  readonly contents: FileContents;
  readonly fileSystem: FileSystem;
  readonly roots: readonly Root[];
}

/** A file that can go back, with what a person needs to decide. */
export interface RestoreChoice extends RestoreItem {
  /** Where the path led when the plan was made. */
  readonly place: GuardedPath;
  /** The agent's last change of the file. */
  readonly cause: ChangeCause;
  readonly label: string;
}

/**
 * Plans going back to before `checkpoints`. Skips files outside the folders that are open now: a session's file may name any
 * path. Skips paths that lead through a link now: they name another file than the one that was changed.
 */
export async function planRestoreOf(
  checkpoints: readonly Checkpoint[],
  { contents, fileSystem, roots }: RestoreAccess,
): Promise<readonly RestoreChoice[]> {
  const places = new Map<string, GuardedPath>();
  const current = new Map<string, FileState>();
  for (const path of new Set(checkpoints.flatMap(({ changes }) => changes.map((change) => change.path)))) {
    const guarded = await guardPath(path, { roots, fileSystem });
    if (!guarded.ok || guarded.path.path !== path || guarded.path.unlinkedPath !== undefined) continue;
    places.set(path, guarded.path);
    current.set(path, stateOf(await contents.read(path)));
  }
  const changes = checkpoints.flatMap((checkpoint) => checkpoint.changes).filter(({ path }) => places.has(path));
  return planRestore(changes, current).flatMap((item) => {
    const place = places.get(item.path);
    if (!place) return [];
    const last = checkpoints.findLast((checkpoint) => checkpoint.changes.some(({ path }) => path === item.path));
    return [{ ...item, place, cause: last?.cause ?? 'edit', label: last?.label ?? '' }];
  });
}

/**
 * Why a file of the plan must not be used any more, for people; `undefined` if its path still leads to the same place.
 * A folder may have been replaced by a link since the plan. Whether the file still has its content is checked
 * elsewhere.
 */
export async function findRestoreMove(
  { place }: RestoreChoice,
  { fileSystem, roots }: Pick<RestoreAccess, 'fileSystem' | 'roots'>,
): Promise<string | undefined> {
  const again = await guardPath(place.path, { roots, fileSystem });
  if (!again.ok) return again.error;
  // A file system may ignore case. There, going back can change the case of a name.
  if (again.path.realPath.toLowerCase() === place.realPath.toLowerCase()) return undefined;
  return l10n.t('It leads to another place than before.');
}

/** The file's text now and after going back; empty where there is no file. */
export async function restoreTexts(
  { path, target }: RestoreChoice,
  { blobs, contents }: { readonly blobs: BlobStore; readonly contents: FileContents },
): Promise<{ readonly now: string; readonly afterwards: string }> {
  const now = (await contents.read(path))?.bytes;
  const afterwards = target === null ? undefined : await blobs.get(target.hash);
  const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes ?? new Uint8Array());
  return { now: decode(now), afterwards: decode(afterwards) };
}

/** What happens to a file, as the end of a sentence that begins with its name. */
export function describeRestore({ action, movedFrom, cause, label }: RestoreChoice): string {
  const isMove = action === 'create' && movedFrom !== undefined;
  const what = isMove ? 'move' : action;
  return cause === 'command' ? restoreSince(what, visibleText(label, 'path').slice(0, 60)) : restoreText(what);
}

function restoreText(what: RestoreChoice['action'] | 'move'): string {
  switch (what) {
    case 'write':
      return l10n.t('earlier text comes back');
    case 'create':
      return l10n.t('comes back');
    case 'move':
      return l10n.t('moves back');
    case 'delete':
      return l10n.t('is deleted: it was not there then');
  }
}

/** `command`: the one that changed the file. */
function restoreSince(what: RestoreChoice['action'] | 'move', command: string): string {
  switch (what) {
    case 'write':
      return l10n.t('earlier text comes back, since “{0}”', command);
    case 'create':
      return l10n.t('comes back, since “{0}”', command);
    case 'move':
      return l10n.t('moves back, since “{0}”', command);
    case 'delete':
      return l10n.t('is deleted: it was not there then, since “{0}”', command);
  }
}
