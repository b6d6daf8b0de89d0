import * as fs from 'node:fs/promises';
import path from 'node:path';
import { mapInSlices } from '../../../util/slices/mapInSlices';
import type { DirectoryEntry } from '../../ports';
import { walkTree, type WalkedTree } from '../../search/walkTree';
import { readFolder } from './listEntries';
import { kindOf } from './nodeFileSystem';
import { readIgnoreFile } from './regularFile';

/** The regular files on disk below a folder; see `walkTree`. Ignore files count from the top of the folder's repository. */
export async function* walkFiles(folder: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  yield* walkTree(folder, { ...(await ignoreFilesOf(folder)), list }, signal);
}

/** The ignore files that count for a folder. */
export async function ignoreFilesOf(folder: string): Promise<Omit<WalkedTree, 'list'>> {
  return { top: (await findRepository(folder)) ?? folder, paths: path, readIgnoreFile };
}

async function list(folder: string): Promise<readonly DirectoryEntry[]> {
  try {
    const entries = await readFolder(folder);
    return await mapInSlices(entries, (entry) => ({
      name: entry.name,
      kind: kindOf(entry),
      isSymbolicLink: entry.isSymbolicLink(),
    }));
  } catch (error) {
    if (SKIPPED.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** The folder must not be read, or is gone since it was listed. */
const SKIPPED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);

/** The nearest folder with a `.git`: this one or one above it. */
export async function findRepository(folder: string): Promise<string | undefined> {
  for (let current = folder; ; current = path.dirname(current)) {
    try {
      await fs.stat(path.join(current, '.git'));
      return current;
    } catch {
      // No repository here, or none that can be read.
      if (current === path.dirname(current)) return undefined;
    }
  }
}
