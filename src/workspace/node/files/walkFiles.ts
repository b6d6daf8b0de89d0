import type { Dirent } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { enterFolder, isIgnored, levelsFor, type IgnoreLevel } from '../../search/ignoreRules';
import { readIgnoreFile } from './regularFile';

/**
 * The regular files below a folder that git would not ignore, in the order of their names, a folder's files before its
 * subfolders. Links are not followed, so nothing outside is reached and nothing twice. A folder that cannot be read is
 * passed over. Ignore files count from the top of the repository that `folder` is in.
 */
export async function* walkFiles(folder: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const repository = await findRepository(folder);
  const levels = repository === folder ? [] : await levelsFor(repository, path.dirname(folder), readIgnoreFile);
  // Who names an ignored folder wants to look into it.
  yield* walk(folder, isIgnored(levels, folder, true) ? [] : levels, signal);
}

async function* walk(
  folder: string,
  parentLevels: readonly IgnoreLevel[],
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  signal.throwIfAborted();
  const entries = await readFolder(folder);
  const levels = entries.some(({ name }) => name === '.gitignore')
    ? await enterFolder(parentLevels, folder, readIgnoreFile)
    : parentLevels;
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isFile() && !isIgnored(levels, file, false)) yield file;
  }
  for (const entry of entries) {
    const subfolder = path.join(folder, entry.name);
    if (entry.isDirectory() && !isIgnored(levels, subfolder, true)) yield* walk(subfolder, levels, signal);
  }
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await fs.readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (PASSED_OVER.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Not allowed, or gone since it was listed. */
const PASSED_OVER: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);

async function findRepository(folder: string): Promise<string> {
  for (let current = folder; ; current = path.dirname(current)) {
    try {
      await fs.stat(path.join(current, '.git'));
      return current;
    } catch {
      // Not here, or not to be looked at: either way not the repository this folder belongs to.
      if (current === path.dirname(current)) return folder;
    }
  }
}
