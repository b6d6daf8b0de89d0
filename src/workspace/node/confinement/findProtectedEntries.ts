import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { Slices } from '../../../util/slices/slices';
import { runAtOnce, runInSlices, type Steps } from '../../../util/slices/steps';
import { isSelfStarting, protectionTier } from '../../paths/protectedPaths';
import { listEntries } from '../files/listEntries';

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

/** Packages have files of every name, which no program outside obeys there. Only repositories count. */
const DEPENDENCIES: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'site-packages', '.venv', 'venv', '.tox', '.nox', 'target', 'pods'],
]);

/** Looks into one folder. A folder that cannot be read is empty: programs outside cannot read it either. */
export function lookInto(folder: string, root: string, isStrict = false): FolderContent {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return NOTHING;
  }
  return runAtOnce(judge(entries, folder, root, isStrict));
}

/** As `lookInto`, in slices. */
async function lookIntoSlowly(
  folder: string,
  root: string,
  { slices, isStrict }: { readonly slices: Slices; readonly isStrict: boolean },
): Promise<FolderContent> {
  let entries: readonly Dirent[];
  try {
    entries = await listEntries(folder);
  } catch {
    return NOTHING;
  }
  return runInSlices(judge(entries, folder, root, isStrict), slices);
}

const NOTHING: FolderContent = { found: [], folders: [] };

function* judge(entries: readonly Dirent[], folder: string, root: string, isStrict: boolean): Steps<FolderContent> {
  const isDependency = isInDependencies(root, folder);
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
    if (isProtectedName(entry.name, { isDependency, isStrict })) found.push({ path: file });
    else if (entry.isDirectory()) folders.push(file);
    yield;
  }
  return { found, folders };
}

/** Whether a folder belongs to dependencies or build output. */
export function isInDependencies(root: string, folder: string): boolean {
  const segments = path.relative(root, folder).split(path.sep);
  return segments.some((segment) => DEPENDENCIES.has(segment.toLowerCase()));
}

/** Whether a file of this name can matter to `lookInto`, so that its folder must be looked into again. */
export function canMatter(name: string, isStrict = false): boolean {
  return OF_REPOSITORY.has(name.toLowerCase()) || isProtectedName(name, { isDependency: false, isStrict });
}

function isProtectedName(
  name: string,
  { isDependency, isStrict }: { readonly isDependency: boolean; readonly isStrict: boolean },
): boolean {
  if (isDependency) return /^(?:\.git|git~\d+)$/i.test(name);
  return isSelfStarting(name) || (isStrict && protectionTier(name) !== undefined);
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
  /** Takes every protected file, also one that runs code only when somebody starts a build. Default: false. */
  readonly isStrict?: boolean | undefined;
}

/**
 * All protected entries below a folder, the nearest first. Links are not followed, and protected folders are not looked
 * into. Gives `undefined` if there are more folders than allowed.
 */
export async function findProtectedEntries(
  start: string,
  root: string,
  { onFolder, maxFolders, isStrict = false }: Search,
): Promise<readonly ProtectedEntry[] | undefined> {
  const found: ProtectedEntry[] = [];
  const waiting = [start];
  const slices = new Slices();
  // The list grows while it is read.
  for (const folder of waiting) {
    if (waiting.length > maxFolders) return undefined;
    onFolder?.(folder, root);
    const content = await lookIntoSlowly(folder, root, { slices, isStrict });
    for (const entry of content.found) found.push(entry);
    for (const below of content.folders) waiting.push(below);
    if (slices.isOver()) await slices.pause();
  }
  return found;
}
