import { findShell } from '../../workspace/node/commands/shell';
import type { CommandRunner, FileSystem, TextSearch } from '../../workspace/ports';
import { createLazy } from '../../util/lazy';
import type { WorkspacePorts } from './workspacePorts';

/**
 * The ports on this machine. Commands run in `bash`, or in the shell that there is, without variables that look like secrets.
 * Replace single ports by spreading: `{ ...createNodePorts(), fileSystem }`.
 */
export function createNodePorts(): WorkspacePorts {
  return { fileSystem: lazyFileSystem(), commandRunner: lazyCommandRunner(), textSearch: lazyTextSearch() };
}

/** What does the work is large. The first use of a port loads it. */
const loadWork = () => import('./workspaceWork');

function lazyFileSystem(): FileSystem {
  const { get } = createLazy(async () => {
    const { clearingDrafts, createNodeFileSystem } = await loadWork();
    return createNodeFileSystem(clearingDrafts());
  });
  return {
    stat: async (path) => (await get()).stat(path),
    realPath: async (path) => (await get()).realPath(path),
    readSlice: async (path, offset, maxBytes) => (await get()).readSlice(path, offset, maxBytes),
    listDirectory: async (path) => (await get()).listDirectory(path),
    openText: async (path) => (await get()).openText(path),
    writeText: async (path, text, expected) => (await get()).writeText(path, text, expected),
    readLink: async (path) => (await get()).readLink?.(path),
    protectedLinks: async (path, folders) =>
      (await (await get()).protectedLinks?.(path, folders)) ?? { names: [], isComplete: false },
  };
}

function lazyCommandRunner(): CommandRunner {
  const shell = findShell();
  const { get } = createLazy(async () => (await loadWork()).createNodeCommandRunner({ shell }));
  return { shellName: shell.name, run: async (request, options) => (await get()).run(request, options) };
}

function lazyTextSearch(): TextSearch {
  const { get } = createLazy(async () => (await loadWork()).createNodeTextSearch());
  return { search: async (query, options) => (await get()).search(query, options) };
}
