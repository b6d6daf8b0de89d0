import { realpathSync } from 'node:fs';
import type { Root } from '../ports';
import { isSelfStarting } from './protectedPaths';

/** Folders of keys, credentials and git, and what is below them. */
const KEPT = /[\\/]\.(?:git|github|ssh|gnupg|password-store|aws|azure|kube|docker|gcloud|oci)(?:[\\/]|$)/i;

/**
 * The opened folders without those that are protected themselves, such as `.git` and `.ssh`. A `.code-workspace` file of a repository can
 * open such folders under any name, and below them nothing has a name by which it is known. They count as outside, or as a
 * part of the folder around them. If all are such folders, the person opened these.
 */
export function ordinaryRoots(roots: readonly Root[]): readonly Root[] {
  if (roots.length < 2) return roots;
  const ordinary = roots.filter(({ path }) => !isProtectedFolder(realPathOf(path)));
  return ordinary.length > 0 ? ordinary : roots;
}

function isProtectedFolder(folder: string): boolean {
  const name = folder.split(/[\\/]/).at(-1) ?? '';
  // Some keep the folders of their work in a bare repository.
  return KEPT.test(folder) || (isSelfStarting(name) && !/.\.git$/i.test(name));
}

function realPathOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // It is virtual, or it is gone.
    return folder;
  }
}
