import path from 'node:path';
import { enterFolder, isIgnored, levelsFor, type IgnoreLevel } from '../../search/ignoreRules';
import type { DirectoryEntry, FileSystem, Root, TextSearch } from '../../ports';
import { isInside } from '../../paths/roots';
import { searchFiles, type SearchedFiles } from './searchFiles';

export interface VirtualTextSearchParts {
  readonly fileSystem: Pick<FileSystem, 'stat' | 'listDirectory' | 'openText'>;
  /** Ignore files count from the folder on that holds what is searched. */
  readonly roots: () => readonly Root[];
  readonly limits?: VirtualSearchLimits | undefined;
}

export interface VirtualSearchLimits {
  /** Folders and files that are looked at in one search; each of them is a call to the program that has them. */
  readonly maxFolders: number;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Of all files together. */
  readonly maxBytes: number;
}

const USUAL_LIMITS: VirtualSearchLimits = {
  maxFolders: 1_000,
  maxFiles: 2_000,
  maxFileBytes: 500_000,
  maxBytes: 50_000_000,
};

/**
 * Search by walking folders that are not on disk, in the order and by the ignore files of a search on disk, as far as the
 * limits reach. Links are not followed.
 */
export function createVirtualTextSearch(parts: VirtualTextSearchParts): TextSearch {
  return {
    async search(query, { signal }) {
      const { files, isExhausted, fileCount } = withinLimits(parts);
      const outcome = await searchFiles(query, files, { regexTimeoutMs: 5000, signal });
      return isExhausted() && !outcome.isCut ? { ...outcome, filesSearched: fileCount() } : outcome;
    },
  };
}

function withinLimits({ fileSystem, roots, limits = USUAL_LIMITS }: VirtualTextSearchParts): {
  readonly files: SearchedFiles;
  readonly isExhausted: () => boolean;
  readonly fileCount: () => number;
} {
  const { maxFolders, maxFiles, maxFileBytes, maxBytes } = limits;
  const used = { folders: 0, files: 0, bytes: 0 };
  let isExhausted = false;

  async function* search(folder: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const root = roots().find((candidate) => isInside(folder, candidate.path, path.posix))?.path;
    const isTop = root === undefined || root === folder;
    const levels = isTop ? [] : await levelsFor(root, path.posix.dirname(folder), readText);
    // Who names an ignored folder wants to look into it.
    yield* walk(folder, signal, isIgnored(levels, folder, true) ? [] : levels);
  }

  async function* walk(
    folder: string,
    signal: AbortSignal,
    parents: readonly IgnoreLevel[],
  ): AsyncGenerator<string, void, undefined> {
    signal.throwIfAborted();
    if (used.folders >= maxFolders) isExhausted = true;
    if (isExhausted) return;
    used.folders += 1;
    const entries = await list(folder);
    const levels = entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file')
      ? await enterFolder(parents, folder, readText)
      : parents;
    for (const { name, kind } of entries) {
      const file = path.posix.join(folder, name);
      if (kind === 'file' && !isIgnored(levels, file, false)) yield file;
    }
    for (const { name, kind } of entries) {
      const subfolder = path.posix.join(folder, name);
      if (kind === 'directory' && !isIgnored(levels, subfolder, true)) yield* walk(subfolder, signal, levels);
    }
  }

  async function list(folder: string): Promise<readonly DirectoryEntry[]> {
    try {
      const entries = await fileSystem.listDirectory(folder);
      return entries.filter((entry) => !entry.isSymbolicLink).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      // Not allowed, or gone since it was listed.
      return [];
    }
  }

  async function readText(file: string): Promise<string | undefined> {
    try {
      const stat = await fileSystem.stat(file);
      if (stat?.kind !== 'file' || stat.isSymbolicLink || stat.size > maxFileBytes) return undefined;
      if (used.files >= maxFiles || used.bytes + stat.size > maxBytes) {
        isExhausted = true;
        return undefined;
      }
      used.files += 1;
      used.bytes += stat.size;
      return (await fileSystem.openText(file)).text;
    } catch {
      // Not text, not readable or deleted meanwhile: nothing to find in it either way.
      return undefined;
    }
  }

  return {
    files: {
      isFile: async (file) => (await fileSystem.stat(file))?.kind === 'file',
      walk: search,
      relative: (folder, file) => path.posix.relative(folder, file),
      readText,
    },
    isExhausted: () => isExhausted,
    fileCount: () => used.files,
  };
}
