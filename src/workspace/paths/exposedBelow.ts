import path from 'node:path';
import { Slices } from '../../util/slices/slices';
import type { GuardedPath } from '../plans';
import type { DirectoryEntry, FileSystem } from '../ports';
import {
  enterScope,
  isLeftOut,
  NAMES_OF_SCOPE,
  NO_SCOPE,
  type IgnoreScope,
  type ReadText,
} from '../search/ignoredByRipgrep';
import type { Exposed, FolderReading, WalkedWorkspace } from './folderReading';
import { guardPath } from './guardPath';
import { isInside } from './roots';

/** How many entries a walk looks at. */
const MAX_ENTRIES = 50_000;

/**
 * What a program that reads a folder would show of protected files and of places outside the workspace, directly or through
 * links; the first one found. Judges as the file tools do. To be called again directly before the program runs.
 */
export async function findExposedBelow(
  folder: GuardedPath,
  reading: FolderReading,
  workspace: WalkedWorkspace,
): Promise<Exposed | undefined> {
  const { roots, fileSystem, isProtected } = workspace;
  const readText: ReadText = (file) => readWhole(file, fileSystem);
  const shown: GuardedPath[] = [];
  const visited = new Set<string>();
  const slices = new Slices();
  let seen = 0;

  const start = reading.obeysIgnoreFiles === true ? await scopeAbove(folder.realPath, fileSystem, readText) : NO_SCOPE;
  const open: { readonly folder: GuardedPath; readonly scope: IgnoreScope }[] = [{ folder, scope: start }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (visited.has(next.folder.realPath)) continue;
    visited.add(next.folder.realPath);
    const entries = await list(next.folder.realPath, fileSystem);
    seen += entries.length;
    if (seen > MAX_ENTRIES) return { kind: 'too many files' };
    const exposed = await look(next.folder, entries, next.scope);
    if (exposed) return exposed;
  }
  return findLinked(shown, workspace);

  async function look(
    within: GuardedPath,
    entries: readonly DirectoryEntry[],
    above: IgnoreScope,
  ): Promise<Exposed | undefined> {
    const obeys = reading.obeysIgnoreFiles === true;
    const scope = obeys ? await enterScope(above, within.realPath, entries, readText) : above;
    for (const entry of entries) {
      if (slices.isOver()) await slices.pause();
      if (obeys && isLeftOut(scope, within.realPath, entry) && reading.bringsBack?.(entry.name, entry.kind) !== true)
        continue;
      const target = childOf(within, entry.name);
      if (entry.isSymbolicLink) {
        const exposed = reading.leavesLinks === true ? undefined : await follow(target, entry, scope);
        if (exposed) return exposed;
      } else if (entry.kind === 'directory') {
        if (reading.leavesFolders?.has(entry.name) !== true) open.push({ folder: target, scope });
      } else if (entry.kind === 'file' && isShown(entry.name)) {
        if (isProtected(target) && !(await isHarmless(target, readText)))
          return { kind: 'protected', path: target.displayPath };
        shown.push(target);
      }
    }
    return undefined;
  }

  function isShown(name: string): boolean {
    return reading.showsNamesOnly !== true && (reading.readsFile?.(name) ?? true);
  }

  async function follow(link: GuardedPath, entry: DirectoryEntry, scope: IgnoreScope): Promise<Exposed | undefined> {
    if ((await fileSystem.realPath(link.realPath)) === undefined) return undefined;
    const guarded = await guardPath(link.realPath, { roots, fileSystem, outside: 'mark' });
    if (!guarded.ok || guarded.path.pathInRoot === null) return { kind: 'outside', path: link.displayPath };
    const target = { ...guarded.path, displayPath: link.displayPath };
    if (entry.kind === 'directory') open.push({ folder: target, scope });
    else if (isShown(entry.name) && isProtected(target)) return { kind: 'protected', path: link.displayPath };
    else if (isShown(entry.name)) shown.push(target);
    return undefined;
  }
}

/** The first of some ordinary files that is another name (a hard link) of a protected one. */
async function findLinked(
  files: readonly GuardedPath[],
  { roots, fileSystem, isProtected }: WalkedWorkspace,
): Promise<Exposed | undefined> {
  const { protectedLinks } = fileSystem;
  if (!protectedLinks) return undefined;
  const tops = await Promise.all(roots.map(async (root) => (await fileSystem.realPath(root.path)) ?? root.path));
  for (let first = 0; first < files.length; first += FILES_AT_ONCE) {
    const batch = files.slice(first, first + FILES_AT_ONCE);
    const found = await Promise.all(batch.map((file) => protectedLinks(file.realPath, tops)));
    for (const [index, file] of batch.entries()) {
      const links = found[index];
      if (!links?.isComplete) return { kind: 'too many files' };
      const alsoNamed = links.names.map((name) => {
        const top = tops.findLast((folder) => isInside(name, folder)) ?? path.dirname(name);
        return path.relative(top, name).split(path.sep).join('/');
      });
      if (alsoNamed.length > 0 && isProtected({ ...file, alsoNamed }))
        return { kind: 'protected', path: file.displayPath };
    }
  }
  return undefined;
}

const FILES_AT_ONCE = 64;
const MAX_TEXT_BYTES = 1_000_000;

/** The ignore files of all folders above count too, also those outside the workspace. */
async function scopeAbove(folder: string, fileSystem: FileSystem, readText: ReadText): Promise<IgnoreScope> {
  const above: string[] = [];
  for (let current = path.dirname(folder); above.at(-1) !== current; current = path.dirname(current))
    above.push(current);
  let scope = NO_SCOPE;
  for (const current of above.toReversed()) {
    const entries: DirectoryEntry[] = [];
    for (const name of NAMES_OF_SCOPE) {
      const stat = await fileSystem.stat(path.join(current, name));
      if (stat) entries.push({ name, kind: stat.kind, isSymbolicLink: false });
    }
    scope = await enterScope(scope, current, entries, readText);
  }
  return scope;
}

async function list(folder: string, fileSystem: FileSystem): Promise<readonly DirectoryEntry[]> {
  try {
    return await fileSystem.listDirectory(folder);
  } catch (error) {
    // A program of the same user cannot read it either, or it is gone.
    if (['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function childOf(folder: GuardedPath, name: string): GuardedPath {
  const join = (start: string): string => (start === '' || start === '.' ? name : `${start}/${name}`);
  return {
    path: path.join(folder.path, name),
    realPath: path.join(folder.realPath, name),
    displayPath: join(folder.displayPath),
    pathInRoot: join(folder.pathInRoot ?? ''),
    exists: true,
  };
}

/** Configuration of git is protected because the addresses of remotes may contain passwords. Most have none. */
async function isHarmless({ realPath }: GuardedPath, readText: ReadText): Promise<boolean> {
  const text = GIT_FILE.test(realPath) ? await readText(realPath) : undefined;
  return text !== undefined && isHarmlessGitFile(realPath, () => text);
}

/** Whether a file is a configuration of git without anything like a password. */
export function isHarmlessGitFile(file: string, read: () => string): boolean {
  return GIT_FILE.test(file) && !/:\/\/(?!git@)[^/\s]*@|header|token|passw|secret|auth|cookie|key/i.test(read());
}

const GIT_FILE = /[\\/]\.git[\\/](?:config|config\.worktree|FETCH_HEAD)$/;

async function readWhole(file: string, fileSystem: FileSystem): Promise<string | undefined> {
  try {
    const stat = await fileSystem.stat(file);
    if (stat?.kind !== 'file' || stat.size > MAX_TEXT_BYTES) return undefined;
    return new TextDecoder().decode(await fileSystem.readSlice(file, 0, stat.size));
  } catch {
    return undefined;
  }
}
