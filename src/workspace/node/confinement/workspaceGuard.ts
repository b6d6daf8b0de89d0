import { lstatSync, readlinkSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../../util/errors';
import { canMatter, findProtectedEntries, lookInto, type ProtectedEntry } from './findProtectedEntries';
import { setAside } from './setAside';

export interface WorkspaceGuardOptions {
  /** Real paths of the folders that the command may write to. */
  readonly roots: readonly string[];
  /** The folder for entries that are set aside. */
  readonly setAsideFolder: string;
  /** For the sandbox: every new protected file is set aside. Default: only what programs outside obey by themselves. */
  readonly isStrict?: boolean | undefined;
  /** Gets a line for each entry that is set aside. */
  readonly onSetAside: (line: string) => void;
}

/** Watches the folders of a workspace while a confined command runs. */
export interface WorkspaceGuard {
  /** The entries that exist at the start and must be read-only. */
  readonly entries: readonly ProtectedEntry[];
  /** Looks for new entries a last time. To be called when no process of the command runs any more. */
  end(): Promise<void>;
}

/** More folders cannot be searched in reasonable time. */
const MAX_FOLDERS = 300_000;
/** The kernel limits watches for each user, and the editor needs many. Folders near the root are watched first. */
const MAX_WATCHED = 4000;
/** Folders that are not watched are searched again after this many times the duration of a search. */
const PAUSE_FACTOR = 20;
const MIN_PAUSE_MS = 5000;

/**
 * Sets aside what appears under a name that programs outside obey, such as `sub/.git`. Bubblewrap cannot forbid names
 * that do not exist yet. Rejects if the workspace is too large to be searched.
 */
export async function guardWorkspace(options: WorkspaceGuardOptions): Promise<WorkspaceGuard> {
  const { roots, setAsideFolder, onSetAside, isStrict = false } = options;
  const known = new Set<string>();
  const watchers = new Map<string, FSWatcher>();
  const working = new Set<Promise<void>>();
  const failed = new Set<string>();
  let isEnded = false;
  let isStarted = false;
  let timer: NodeJS.Timeout | undefined;

  const checkFolder = (folder: string, root: string): void => {
    for (const entry of lookInto(folder, root, isStrict).found) check(entry);
  };
  const check = (entry: ProtectedEntry): void => {
    if (identitiesOf(entry).some((identity) => known.has(identity))) return;
    const work = setAsideAndTell(entry).finally(() => working.delete(work));
    working.add(work);
  };
  const setAsideAndTell = async (entry: ProtectedEntry): Promise<void> => {
    try {
      const place = await setAside(entry, setAsideFolder);
      if (place === undefined) return;
      onSetAside(
        `[Confined commands must not create files that run code outside. Moved out of the workspace: ${entry.path}, to ${place}]`,
      );
    } catch (error) {
      if (failed.has(entry.path)) return;
      failed.add(entry.path);
      onSetAside(`[${entry.path} may run code outside the confinement, and could not be moved: ${messageOf(error)}]`);
    }
  };
  const watchFolder = (folder: string, root: string): void => {
    if (watchers.size >= MAX_WATCHED || watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        // Existing entries are read-only, so only new names matter.
        if (isEnded || !isStarted || event !== 'rename') return;
        if (name === null || canMatter(name, isStrict)) checkFolder(folder, root);
        if (name !== null) lookIntoNew(path.join(folder, name), root);
      });
      // The folder is gone.
      watcher.on('error', () => forget(folder));
      watchers.set(folder, watcher);
    } catch {
      // The limit of watches is reached. The searches find what appears.
    }
  };
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const lookIntoNew = (file: string, root: string): void => {
    try {
      if (!lstatSync(file).isDirectory()) return;
    } catch {
      return forget(file);
    }
    forget(file);
    const work = search(file, root).finally(() => working.delete(work));
    working.add(work);
  };
  const search = async (start: string, root: string): Promise<void> => {
    const found = await findProtectedEntries(start, root, { onFolder: watchFolder, maxFolders: MAX_FOLDERS, isStrict });
    if (isStarted) for (const entry of found ?? []) check(entry);
  };
  const searchAll = async (): Promise<readonly ProtectedEntry[]> => {
    const found: ProtectedEntry[] = [];
    for (const root of roots) {
      const inRoot = await findProtectedEntries(root, root, {
        onFolder: isEnded ? undefined : watchFolder,
        maxFolders: MAX_FOLDERS,
        isStrict,
      });
      if (!inRoot) throw new Error(`${root} has more than ${MAX_FOLDERS} folders, too many to watch.`);
      found.push(...inRoot);
    }
    return found;
  };
  const closeWatchers = (): void => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  const settle = async (): Promise<void> => {
    while (working.size > 0) await Promise.all(working);
  };

  let entries: readonly ProtectedEntry[];
  let duration = performance.now();
  try {
    entries = await searchAll();
  } catch (error) {
    closeWatchers();
    throw error;
  }
  for (const entry of entries) for (const identity of identitiesOf(entry)) known.add(identity);
  isStarted = true;
  duration = performance.now() - duration;
  const plan = (): void => {
    timer = setTimeout(
      () => {
        searchAll()
          .then((found) => {
            if (!isEnded) found.forEach(check);
          })
          .catch(() => {
            // Too many folders by now. The end tells.
          })
          .finally(() => {
            if (!isEnded) plan();
          });
      },
      Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * duration),
    ).unref();
  };
  plan();
  return {
    entries,
    async end() {
      isEnded = true;
      clearTimeout(timer);
      closeWatchers();
      await settle();
      try {
        (await searchAll()).forEach(check);
      } catch (error) {
        onSetAside(`[New files that run code outside the confinement could not be looked for: ${messageOf(error)}]`);
      }
      await settle();
    },
  };
}

/**
 * How an entry is recognised later. A file or folder is the same after its folder was moved. At its place it can only
 * have been replaced from outside the confinement, because there it is a mount. A link is the same only with the same
 * target.
 */
function identitiesOf({ path: file, isRepository }: ProtectedEntry): readonly string[] {
  try {
    const stat = lstatSync(file, { bigint: true });
    const own = `${stat.dev}:${stat.ino}`;
    if (isRepository) return [`repository ${own}`];
    if (stat.isSymbolicLink()) return [`link ${own} ${readlinkSync(file)}`];
    const folder = lstatSync(path.dirname(file), { bigint: true });
    return [`entry ${own}`, `place ${folder.dev}:${folder.ino} ${path.basename(file)}`];
  } catch {
    return [];
  }
}
