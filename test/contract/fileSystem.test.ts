import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createNodeFileSystem } from '../../src/workspace/node/files/nodeFileSystem';
import { MemoryFileSystem } from '../support/files/memoryFileSystem';
import { createTemporaryFolder } from '../support/files/temporaryFolder';
import { describeFileSystemContract } from './fileSystemContract';

describeFileSystemContract('The file system on Node', async () => {
  const folder = await createTemporaryFolder();
  const at = (file: string): string => path.join(folder.path, file);
  return {
    fileSystem: createNodeFileSystem(),
    root: folder.path,
    writeFile: async (file, content) => {
      await mkdir(path.dirname(at(file)), { recursive: true });
      await writeFile(at(file), content);
    },
    makeDirectory: async (name) => {
      await mkdir(at(name), { recursive: true });
    },
    makeLink: (link, target) => symlink(target, at(link)),
    readBytes: (file) => readFile(at(file)).catch(() => undefined),
    [Symbol.asyncDispose]: folder.dispose,
  };
});

describeFileSystemContract('The file system in memory', async () => {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/w');
  const at = (file: string): string => path.posix.join('/w', file);
  return {
    fileSystem,
    root: '/w',
    writeFile: async (file, content) => fileSystem.write(at(file), content),
    makeDirectory: async (folder) => fileSystem.makeDirectory(at(folder)),
    makeLink: async (link, target) => fileSystem.makeLink(at(link), target),
    readBytes: async (file) => {
      const text = fileSystem.textOf(at(file));
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    [Symbol.asyncDispose]: async () => {},
  };
});
