import path from 'node:path';
import { walkTree } from '../../search/walkTree';
import type { DirectoryEntry, FileSystem, Root, TextSearch } from '../../ports';
import { isInside } from '../../paths/roots';
import { searchFiles, type SearchedFiles } from './searchFiles';

export interface VirtualTextSearchParts {
  readonly fileSystem: Pick<FileSystem, 'stat' | 'listDirectory' | 'openText'>;
  /** Ignore files count from the root that contains the searched folder. */
  readonly roots: () => readonly Root[];
  readonly limits?: VirtualSearchLimits | undefined;
}

export interface VirtualSearchLimits {
  /** How many folders and files one search reads. Each is a call to the program that provides them. */
  readonly maxFolders: number;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Of all files of one search. */
  readonly maxBytes: number;
}

const USUAL_LIMITS: VirtualSearchLimits = {
  maxFolders: 1_000,
  maxFiles: 2_000,
  maxFileBytes: 500_000,
  maxBytes: 50_000_000,
};

/** Searches virtual folders by walking them as `walkTree` does, within limits. */
export function createVirtualTextSearch(parts: VirtualTextSearchParts): TextSearch {
  return {
    async search(query, { signal }) {
      const { files, isExhausted, fileCount } = withinLimits(parts);
      const outcome = await searchFiles(query, files, { regexTimeoutMs: 5000, signal });
      return isExhausted() && !outcome.isCut ? { ...outcome, filesSearched: fileCount() } : outcome;
    },
  };
}

/** The files of a virtual folder, within the limits of one search. */
export function walkVirtual(folder: string, parts: VirtualTextSearchParts, signal: AbortSignal): AsyncIterable<string> {
  return withinLimits(parts).files.walk(folder, signal);
}

function withinLimits({ fileSystem, roots, limits = USUAL_LIMITS }: VirtualTextSearchParts): {
  readonly files: SearchedFiles;
  readonly isExhausted: () => boolean;
  readonly fileCount: () => number;
} {
  const { maxFolders, maxFiles, maxFileBytes, maxBytes } = limits;
  const used = { folders: 0, files: 0, bytes: 0 };
  let isExhausted = false;

  function walk(folder: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const top = roots().find((root) => isInside(folder, root.path, path.posix))?.path ?? folder;
    return walkTree(folder, { top, paths: path.posix, list, readIgnoreFile: readText }, signal);
  }

  async function list(folder: string): Promise<readonly DirectoryEntry[]> {
    if (used.folders >= maxFolders) isExhausted = true;
    if (isExhausted) return [];
    used.folders += 1;
    try {
      return (await fileSystem.listDirectory(folder)).filter((entry) => !entry.isSymbolicLink);
    } catch {
      // The folder must not be read, or is gone since it was listed.
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
      // The file is no text, cannot be read, or was deleted: there is nothing to find in it.
      return undefined;
    }
  }

  return {
    files: {
      isFile: async (file) => (await fileSystem.stat(file))?.kind === 'file',
      walk,
      relative: (folder, file) => path.posix.relative(folder, file),
      readText,
    },
    isExhausted: () => isExhausted,
    fileCount: () => used.files,
  };
}
