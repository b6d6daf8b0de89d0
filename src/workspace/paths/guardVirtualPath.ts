import path from 'node:path';
import type { Guarded } from '../plans';
import type { DirectoryEntry, PathLookup, Root } from '../ports';
import { describeOutside, displayPath, isInside } from './roots';
import { isNameProtected } from './protectedPaths';
import { findNewNameProblem, findVirtualNameProblem, isVirtualPath } from './virtualPaths';

export interface VirtualGuardOptions {
  readonly roots: readonly Root[];
  readonly fileSystem: PathLookup;
  /** The path is in an approved plan. */
  readonly isApproved?: boolean | undefined;
}

/**
 * Decides about a path in a virtual folder, which a program provides instead of the disk. There are no real paths, so the
 * folder's listing must have each name exactly. Refused: other spellings of a name, links, and paths outside the folders.
 * Rejects if the file system cannot be read. `target` is absolute and normalised; see `resolveInRoots`.
 */
export async function guardVirtualPath(
  input: string,
  target: string,
  { roots, fileSystem, isApproved = false }: VirtualGuardOptions,
): Promise<Guarded> {
  const root = roots
    .filter((candidate) => isVirtualPath(candidate.path) && isInside(target, candidate.path, path.posix))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (!root) return refuse(describeOutside(input, roots));
  const below = path.posix.relative(root.path, target);
  const problem = findVirtualNameProblem(below);
  if (problem !== undefined) return refuse(`"${input}" ${problem}, which is not allowed.`);
  const top = await fileSystem.stat(root.path);
  if (top?.kind !== 'directory') return refuse(`The workspace folder ${root.name} cannot be reached.`);

  // Before a person allowed it, such a folder is not even listed.
  if (!isApproved && isNameProtected({ displayPath: below, pathInRoot: below })) return allow(target, false);
  let current = root.path;
  const names = below === '' ? [] : below.split('/');
  for (const [index, name] of names.entries()) {
    const entry = findEntry(await fileSystem.listDirectory(current), name);
    if (!entry) {
      const obstacle = await findObstacleToNew(current, names.slice(index), fileSystem);
      if (obstacle !== undefined) return refuse(`"${input}" ${obstacle}`);
      return allow(path.posix.join(current, ...names.slice(index)), false);
    }
    current = path.posix.join(current, entry.name);
    const stat = await fileSystem.stat(current);
    if (!stat) return refuse(`"${input}" disappeared while it was checked. Try again.`);
    if (entry.isSymbolicLink || stat.isSymbolicLink) {
      return refuse(`"${input}" goes through "${entry.name}", a link. Links in this folder cannot be followed safely.`);
    }
    if (stat.kind === 'other') {
      return refuse(`"${input}" is a device, pipe or socket. Only regular files and folders can be used.`);
    }
    if (stat.kind === 'file' && index < names.length - 1) {
      return refuse(`"${displayPath(current, roots)}" is a file, so there is nothing below it.`);
    }
  }
  return allow(current, true);

  function allow(found: string, exists: boolean): Guarded {
    const pathInRoot = path.posix.relative(root!.path, found);
    return {
      ok: true,
      path: { path: found, realPath: found, displayPath: displayPath(found, roots), pathInRoot, exists },
    };
  }
}

/** The entry with this name, or the only entry whose name differs just in how accents are composed. */
function findEntry(entries: readonly DirectoryEntry[], name: string): DirectoryEntry | undefined {
  const exact = entries.find((entry) => entry.name === name);
  if (exact) return exact;
  const same = entries.filter((entry) => entry.name.normalize('NFC') === name.normalize('NFC'));
  return same.length === 1 ? same[0] : undefined;
}

/** Why a name that is not listed must not be created or used. */
async function findObstacleToNew(
  folder: string,
  missing: readonly string[],
  fileSystem: PathLookup,
): Promise<string | undefined> {
  for (const name of missing) {
    const problem = findNewNameProblem(name);
    if (problem !== undefined) return `${problem}, and nothing is listed under that name.`;
  }
  if (!(await fileSystem.stat(path.posix.join(folder, missing[0] ?? '')))) return undefined;
  return 'exists under another name. Use the name as list_directory shows it.';
}

function refuse(error: string): Guarded {
  return { ok: false, error };
}
