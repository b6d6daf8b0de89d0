import type { PlatformPath } from 'node:path';
import type { DirectoryEntry } from '../ports';
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
 * follow links.
 */
export async function* walkTree(
  start: string,
  { top, paths, list, readIgnoreFile }: WalkedTree,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const above = top === start ? [] : await levelsFor(top, paths.dirname(start), readIgnoreFile);
  // A caller that names an ignored folder wants its files.
  yield* walk(start, isIgnored(above, start, true) ? [] : above);

  async function* walk(folder: string, parents: readonly IgnoreLevel[]): AsyncGenerator<string, void, undefined> {
    signal.throwIfAborted();
    const entries = (await list(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const levels = entries.some(({ name }) => name === '.gitignore')
      ? await enterFolder(parents, folder, readIgnoreFile)
      : parents;
    for (const { name, kind } of entries) {
      const file = paths.join(folder, name);
      if (kind === 'file' && !isIgnored(levels, file, false)) yield file;
    }
    for (const { name, kind } of entries) {
      const subfolder = paths.join(folder, name);
      if (kind === 'directory' && !isIgnored(levels, subfolder, true)) yield* walk(subfolder, levels);
    }
  }
}
