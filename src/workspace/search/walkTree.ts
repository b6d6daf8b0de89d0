import type { PlatformPath } from 'node:path';
import type { DirectoryEntry } from '../ports';
import { Slices } from '../../util/slices/slices';
import { sortInSlices } from '../../util/slices/sortInSlices';
import { enterFolder, isIgnored, levelsFor, type IgnoreLevel, type ReadIgnoreFile } from './ignoreRules';

/** The files that a walk goes through. */
export interface WalkedTree {
  /** Ignore files count from this folder on. The walk starts in it or below it. */
  readonly top: string;
  /** The path functions for its paths. */
  readonly paths: PlatformPath;
  /** Links must not have the kind `file` or `directory`. Gives nothing for a folder that cannot be read. */
  readonly list: (folder: string) => Promise<readonly DirectoryEntry[]>;
  readonly readIgnoreFile: ReadIgnoreFile;
}

/**
 * The files below a folder that git would not ignore, sorted by name, the files of a folder before its subfolders. Does not
 * follow links. Pauses often, so that neither a huge folder nor the work on each file blocks for long.
 */
export async function* walkTree(
  start: string,
  { top, paths, list, readIgnoreFile }: WalkedTree,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const slices = new Slices();
  yield* walk(start, await levelsAbove(start, { top, paths, readIgnoreFile }));

  async function* walk(folder: string, parents: readonly IgnoreLevel[]): AsyncGenerator<string, void, undefined> {
    signal.throwIfAborted();
    const entries = await sortInSlices(await list(folder), (a, b) => (a.name < b.name ? -1 : 1));
    const levels = entries.some(({ name }) => name === '.gitignore')
      ? await enterFolder(parents, folder, readIgnoreFile)
      : parents;
    const subfolders: string[] = [];
    for (const { name, kind } of entries) {
      if (slices.isOver()) await slices.pause(signal);
      if (kind === 'directory') subfolders.push(paths.join(folder, name));
      if (kind !== 'file') continue;
      const file = paths.join(folder, name);
      if (!isIgnored(levels, file, false)) yield file;
    }
    for (const subfolder of subfolders) {
      if (slices.isOver()) await slices.pause(signal);
      if (!isIgnored(levels, subfolder, true)) yield* walk(subfolder, levels);
    }
  }
}

/**
 * The files, of those given, that `walkTree` would find, in its order. They are regular files below `start`, by
 * `/`-separated path relative to it.
 */
export async function* keptFiles(
  start: string,
  files: readonly string[],
  tree: Omit<WalkedTree, 'list'>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { paths, readIgnoreFile } = tree;
  const above = await levelsAbove(start, tree);
  const known = new Map<string, Promise<readonly IgnoreLevel[] | undefined>>();
  const slices = new Slices();
  const named: (readonly string[])[] = [];
  for (const file of files) {
    named.push(file.split('/'));
    if (slices.isOver()) await slices.pause(signal);
  }
  for (const names of await sortInSlices(named, inOrderOfWalk)) {
    signal.throwIfAborted();
    if (slices.isOver()) await slices.pause(signal);
    const levels = await levelsIn(paths.join(start, ...names.slice(0, -1)));
    const file = paths.join(start, ...names);
    if (levels && !isIgnored(levels, file, false)) yield file;
  }

  /** `undefined`: the folder is ignored. */
  function levelsIn(folder: string): Promise<readonly IgnoreLevel[] | undefined> {
    const levels = known.get(folder) ?? readLevels(folder);
    known.set(folder, levels);
    return levels;
  }

  async function readLevels(folder: string): Promise<readonly IgnoreLevel[] | undefined> {
    const parents = folder === start ? above : await levelsIn(paths.dirname(folder));
    if (!parents || (folder !== start && isIgnored(parents, folder, true))) return undefined;
    return enterFolder(parents, folder, readIgnoreFile);
  }
}

async function levelsAbove(
  start: string,
  { top, paths, readIgnoreFile }: Omit<WalkedTree, 'list'>,
): Promise<readonly IgnoreLevel[]> {
  const above = top === start ? [] : await levelsFor(top, paths.dirname(start), readIgnoreFile);
  // A caller that names an ignored folder wants its files.
  return isIgnored(above, start, true) ? [] : above;
}

/** By name, files before subfolders. */
function inOrderOfWalk(one: readonly string[], other: readonly string[]): number {
  const depth = one.findIndex((name, index) => name !== other[index]);
  const [isFile, isOtherFile] = [depth === one.length - 1, depth === other.length - 1];
  if (isFile !== isOtherFile) return isFile ? -1 : 1;
  return (one[depth] ?? '') < (other[depth] ?? '') ? -1 : 1;
}
