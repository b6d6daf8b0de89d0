import type { FileContents } from './checkpoints/ports';
import type { FileSystem, TextSearch } from './ports';
import { isVirtualPath } from './paths/virtualPaths';

/** Passes each path to its file system. The disk is never asked about a virtual path. */
export function withVirtualFiles(disk: FileSystem, virtual: FileSystem): FileSystem {
  const of = (path: string): FileSystem => (isVirtualPath(path) ? virtual : disk);
  return {
    stat: (path) => of(path).stat(path),
    realPath: (path) => of(path).realPath(path),
    readSlice: (path, offset, maxBytes) => of(path).readSlice(path, offset, maxBytes),
    listDirectory: (path) => of(path).listDirectory(path),
    openText: (path) => of(path).openText(path),
    writeText: (path, text, expected) => of(path).writeText(path, text, expected),
    readLink: async (path) => of(path).readLink?.(path),
    protectedLinks: async (path, folders) =>
      (await of(path).protectedLinks?.(path, folders)) ?? { names: [], isComplete: true },
  };
}

export function withVirtualSearch(disk: TextSearch, virtual: TextSearch): TextSearch {
  return {
    search: (query, options) => (isVirtualPath(query.path) ? virtual : disk).search(query, options),
  };
}

export function withVirtualContents(disk: FileContents, virtual: FileContents): FileContents {
  const of = (path: string): FileContents => (isVirtualPath(path) ? virtual : disk);
  return {
    read: (path) => of(path).read(path),
    write: (path, content, expected) => of(path).write(path, content, expected),
    remove: (path, expected) => of(path).remove(path, expected),
  };
}
