import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Root } from '../../ports';
import { isVirtualPath } from '../../paths/virtualPaths';

/**
 * Removes the folder of a file that is gone, and those above it, as far as they hold nothing and are below a root. As git
 * does when it takes away the last file of a folder. Folders that are not on the disk stay. Never rejects: a folder that stays is no harm.
 */
export async function removeEmptyFolders(file: string, roots: readonly Root[]): Promise<void> {
  if (isVirtualPath(file)) return;
  for (let folder = path.dirname(file); isBelowRoot(folder, roots); folder = path.dirname(folder)) {
    try {
      await fs.rmdir(folder);
    } catch {
      // It holds something, is gone, or may not be removed: all the same here, and for those above it.
      return;
    }
  }
}

function isBelowRoot(folder: string, roots: readonly Root[]): boolean {
  return roots.some((root) => {
    const relative = path.relative(root.path, folder);
    return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  });
}
