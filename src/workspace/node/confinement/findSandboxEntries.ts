import { lstatSync, readFileSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { Slices } from '../../../util/slices/slices';
import { isHarmlessGitFile } from '../../paths/exposedBelow';
import { holdsSecrets, protectionTier } from '../../paths/protectedPaths';
import { listEntries } from '../files/listEntries';
import { isInDependencies } from './findProtectedEntries';

/** What a sandboxed command must not see, and what it must not change. */
export interface SandboxEntries {
  /** Absolute paths of files and folders that may hold secrets, and of other names (hard links) of such files. */
  readonly hidden: readonly string[];
  /** Absolute paths of protected files and folders, and of other names of such files. */
  readonly readOnly: readonly string[];
}

/** More entries cannot be looked at in reasonable time. */
const MAX_ENTRIES = 300_000;
/** Installed packages. Editors and their extensions load them by themselves: linters, formatters, compilers. */
const PACKAGES: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'site-packages', '.venv', 'venv']);
/** Each needs a mount. */
const MAX_FOUND = 2000;

/**
 * The protected files and folders below some folders. Links are not followed: what they lead to is protected itself, or
 * outside. Rejects if that cannot be found out.
 */
export async function findSandboxEntries(roots: readonly string[]): Promise<SandboxEntries> {
  const hidden = new Set<string>();
  const readOnly = new Set<string>();
  /** The read-only folders and all folders in them, which need no mount of their own. */
  const inReadOnly = new Set<string>();
  /** Protected files with several names: which list, by inode. */
  const linked = new Map<string, Set<string>>();
  const files: string[] = [];
  const slices = new Slices();
  let seen = 0;
  const walk = async (start: string, visit: (file: string, entry: Dirent) => boolean): Promise<void> => {
    const open = [start];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      for (const entry of await listFolder(folder)) {
        seen += 1;
        if (seen > MAX_ENTRIES) throw new Error('The workspace has too many files to find the protected ones.');
        const file = path.join(folder, entry.name);
        if (!entry.isSymbolicLink() && visit(file, entry) && entry.isDirectory()) open.push(file);
        if (slices.isOver()) await slices.pause();
      }
    }
  };
  const note = (file: string, entry: Dirent, list: Set<string>): void => {
    list.add(file);
    if (hidden.size + readOnly.size > MAX_FOUND) {
      throw new Error(`The workspace has more than ${MAX_FOUND} protected files and folders.`);
    }
    if (!entry.isFile()) return;
    const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (stat && stat.nlink > 1n) linked.set(`${stat.dev}:${stat.ino}`, list);
  };
  for (const root of roots) {
    await walk(root, (file, entry) => {
      const name = path.relative(root, file);
      if (holdsSecrets(name) && !isHarmless(file, entry)) {
        note(file, entry, hidden);
        return false;
      }
      const isBelowReadOnly = inReadOnly.has(path.dirname(file));
      const isProtected =
        (protectionTier(name) !== undefined && !isInDependencies(root, path.dirname(file))) ||
        (entry.isDirectory() && PACKAGES.has(entry.name.toLowerCase()));
      if (isProtected && !isBelowReadOnly) note(file, entry, readOnly);
      if ((isProtected || isBelowReadOnly) && entry.isDirectory()) inReadOnly.add(file);
      // Of git's objects, only the names of those who know them lead anywhere.
      return !/[\\/]\.git[\\/]objects$/.test(file);
    });
  }
  if (linked.size > 0) {
    for (const root of roots) {
      await walk(root, (file, entry) => {
        if (entry.isFile()) files.push(file);
        return true;
      });
    }
    for (const file of files) {
      const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (stat && stat.nlink > 1n) linked.get(`${stat.dev}:${stat.ino}`)?.add(file);
      if (slices.isOver()) await slices.pause();
    }
  }
  return { hidden: [...hidden], readOnly: [...readOnly] };
}

/** A folder that cannot be read cannot be read by the command either. */
async function listFolder(folder: string): Promise<readonly Dirent[]> {
  try {
    return await listEntries(folder);
  } catch {
    return [];
  }
}

/** Git does not work without its configuration, which seldom has a password. */
function isHarmless(file: string, entry: Dirent): boolean {
  if (!entry.isFile()) return false;
  try {
    return isHarmlessGitFile(file, () => readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}
