import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Root } from '../../ports';
import { isInside } from '../../paths/roots';
import { isVirtualPath } from '../../paths/virtualPaths';

/**
 * Removes the folder of a deleted file, and the folders above it, while they are empty and below a root. Git does the same.
 * Virtual folders stay. Never rejects: a folder that stays does no harm.
 */
export async function removeEmptyFolders(file: string, roots: readonly Root[]): Promise<void> {
  if (isVirtualPath(file)) return;
  const isBelowRoot = (folder: string): boolean =>
    roots.some((root) => isInside(folder, root.path) && path.relative(root.path, folder) !== '');
  for (let folder = path.dirname(file); isBelowRoot(folder); folder = path.dirname(folder)) {
    try {
      await fs.rmdir(folder);
    } catch {
      // It is not empty, is gone, or must not be removed. So the folders above it stay too.
      return;
    }
  }
}
