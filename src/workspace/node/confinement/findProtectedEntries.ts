import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { isSelfStarting } from '../../paths/protectedPaths';

/** A file or folder that makes programs outside the confinement run code, such as `.git`, or a bare repository. */
export interface ProtectedEntry {
  readonly path: string;
  /** It is a folder that git takes for a repository by the names in it. */
  readonly isRepository?: true | undefined;
}

export interface FolderContent {
  readonly found: readonly ProtectedEntry[];
  /** Absolute paths of the folders to look into next. */
  readonly folders: readonly string[];
}

/** How long one slice of the search may block the process, in milliseconds. */
const SLICE_MS = 8;

/** Packages have files of every name, which no program outside obeys there. Only repositories count. */
const DEPENDENCIES: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'site-packages', '.venv', 'venv', '.tox', '.nox', 'target', 'pods'],
]);

/** Looks into one folder. A folder that cannot be read is empty: programs outside cannot read it either. */
export function lookInto(folder: string, root: string): FolderContent {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return { found: [], folders: [] };
  }
  const isInDependencies = path
    .relative(root, folder)
    .split(path.sep)
    .some((segment) => DEPENDENCIES.has(segment.toLowerCase()));
  if (isRepository(entries)) {
    if (folder !== root) return { found: [{ path: folder, isRepository: true }], folders: [] };
    const found = entries.filter(({ name }) => OF_REPOSITORY.has(name.toLowerCase()));
    return {
      found: [{ path: folder, isRepository: true }, ...found.map(({ name }) => ({ path: path.join(folder, name) }))],
      folders: [],
    };
  }
  const found: ProtectedEntry[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (isProtectedName(entry.name, isInDependencies)) found.push({ path: file });
    else if (entry.isDirectory()) folders.push(file);
  }
  return { found, folders };
}

/** Whether a file of this name can matter to `lookInto`, so that its folder must be looked into again. */
export function canMatter(name: string): boolean {
  return OF_REPOSITORY.has(name.toLowerCase()) || isSelfStarting(name);
}

function isProtectedName(name: string, isInDependencies: boolean): boolean {
  return isInDependencies ? /^(?:\.git|git~\d+)$/i.test(name) : isSelfStarting(name);
}

const OF_REPOSITORY: ReadonlySet<string> = new Set([
  ...[
    'head',
    'config',
    'config.worktree',
    'commondir',
    'gitdir',
    'hooks',
    'info',
    'modules',
    'objects',
    'refs',
    'packed-refs',
    'worktrees',
  ],
]);

/** By the names that git itself checks (`is_git_directory` in setup.c). */
function isRepository(entries: readonly Dirent[]): boolean {
  const has = (name: string): boolean => entries.some((entry) => entry.name.toLowerCase() === name);
  return has('head') && (has('commondir') || (has('objects') && has('refs')));
}

export interface Search {
  /** Called for each folder, before it is looked into. */
  readonly onFolder?: ((folder: string, root: string) => void) | undefined;
  readonly maxFolders: number;
}

/**
 * All protected entries below a folder, the nearest first. Links are not followed, and protected folders are not looked into.
 * Gives `undefined` if there are more folders than allowed.
 */
export async function findProtectedEntries(
  start: string,
  root: string,
  { onFolder, maxFolders }: Search,
): Promise<readonly ProtectedEntry[] | undefined> {
  const found: ProtectedEntry[] = [];
  const waiting = [start];
  let sliceEnd = performance.now() + SLICE_MS;
  // The list grows while it is read.
  for (const folder of waiting) {
    if (waiting.length > maxFolders) return undefined;
    onFolder?.(folder, root);
    const content = lookInto(folder, root);
    found.push(...content.found);
    waiting.push(...content.folders);
    if (performance.now() > sliceEnd) {
      await nextTick();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return found;
}
