import path from 'node:path';
import { findExposedBelow } from '../paths/exposedBelow';
import type { FolderReading, WalkedWorkspace } from '../paths/folderReading';
import { guardPath } from '../paths/guardPath';
import type { GuardedPath } from '../plans';
import type { ReadOnlyCall } from './allowedUnasked/profile';
import { unsafe } from './commandReasons';

/** Why the reads of some calls need a question, or `undefined`. Completes "Asks because …". */
export async function findReadProblem(
  calls: readonly (ReadOnlyCall | undefined)[],
  cwd: GuardedPath,
  world: WalkedWorkspace,
): Promise<string | undefined> {
  for (const call of calls) {
    for (const read of call?.reads ?? []) {
      const guarded = await guardRead(read, cwd, world);
      if (typeof guarded === 'string') return guarded;
      // Git shows tracked files only, and `findGitProblem` looks at those.
      const exposed = call?.git ? undefined : await findExposed(read, guarded, call?.folders ?? {}, world);
      if (exposed !== undefined) return exposed;
    }
  }
  return undefined;
}

/** The path that a program opens by this word, or why it must not. Relative to the real folder, as programs see it. */
export async function guardRead(
  read: string,
  cwd: GuardedPath,
  { roots, fileSystem, isProtected }: WalkedWorkspace,
): Promise<GuardedPath | string> {
  // In `link/../x` the system goes up from the link's target, not from the link.
  if (/[^./\\][\\/]+\.\.(?:[\\/]|$)/.test(read)) return unsafe.leavesFolder(read);
  if (read.startsWith('~')) return unsafe.startsInHome(read);
  const guarded = await guardPath(path.resolve(cwd.realPath, read), { roots, fileSystem, outside: 'mark' });
  if (!guarded.ok) return guarded.error.replace(/\.$/, '');
  if (guarded.path.pathInRoot === null) return unsafe.isOutside(read);
  return isProtected(guarded.path) ? unsafe.isProtected(guarded.path.displayPath) : guarded.path;
}

export async function isFolder({ realPath }: GuardedPath, { fileSystem }: WalkedWorkspace): Promise<boolean> {
  return (await fileSystem.stat(realPath))?.kind === 'directory';
}

async function findExposed(
  read: string,
  target: GuardedPath,
  reading: FolderReading,
  world: WalkedWorkspace,
): Promise<string | undefined> {
  if (reading.showsNamesOnly === true && reading.leavesLinks === true) return undefined;
  if (!(await isFolder(target, world))) return undefined;
  const exposed = await findExposedBelow(target, reading, world);
  switch (exposed?.kind) {
    case undefined:
      return undefined;
    case 'protected':
      return unsafe.contains(read, exposed.path);
    case 'outside':
      return unsafe.leadsOutside(read, exposed.path);
    case 'too many files':
      return unsafe.hasTooManyFiles(read);
  }
}
