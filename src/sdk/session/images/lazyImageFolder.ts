import { createLazy } from '../../../util/lazy';
import type { ImageFiles } from './imageStore';

/** Images in a folder, in files named by their SHA-256. Neither the folder nor a file may be a link. */
export function createImageFolder(folder: string): ImageFiles {
  // The first use loads it, with Node's file system.
  const files = createLazy(async () => (await import('./imageFolder')).createImageFolder(folder));
  return {
    write: async (hash, bytes) => (await files.get()).write(hash, bytes),
    read: async (hash) => (await files.get()).read(hash),
  };
}
