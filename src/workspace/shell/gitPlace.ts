import * as l10n from '../../util/l10n';
import path from 'node:path';
import { isInside } from '../paths/roots';
import type { FileSystem } from '../ports';

export interface GitPlace {
  /** The folder in which git runs. */
  readonly cwd: string;
  /** The work tree, the folder of git for it, and the one that all work trees share, as git names them. */
  readonly top: string;
  readonly gitFolder: string;
  readonly commonFolder: string;
  /** Real paths of the workspace folders. */
  readonly rootPaths: readonly string[];
  readonly fileSystem: Pick<FileSystem, 'realPath' | 'stat' | 'readSlice' | 'listDirectory'>;
}

/**
 * Why git would show another repository than that of the work tree, or `undefined`. Completes "Asks because …". A file or a link
 * in the workspace can lead git to any repository of the machine. So its files must be in the workspace, in `.git` of the work tree,
 * or belong to a repository that names this work tree itself, as `git worktree add` does. In the workspace, they may not lead out.
 * `workTrees`: the values of `core.worktree` in its configuration. They may name this work tree only, and only from outside the workspace,
 * as those of submodules that are opened alone do.
 */
export async function findForeignRepository(
  place: GitPlace,
  workTrees: readonly string[] = [],
): Promise<string | undefined> {
  const { rootPaths, fileSystem } = place;
  const top = await fileSystem.realPath(place.top);
  const own = await fileSystem.realPath(place.gitFolder);
  const common = await fileSystem.realPath(place.commonFolder);
  if (top === undefined || own === undefined || common === undefined)
    return l10n.t('the files of the repository are not there');
  const isNatural = own === path.join(top, '.git') && common === own;
  const within = [own, common].filter((folder) => rootPaths.some((root) => isInside(folder, root)));
  const named = await Promise.all(workTrees.map((value) => fileSystem.realPath(path.resolve(own, value))));
  const isElsewhere = named.some((folder) => folder !== top) || !isInside(place.cwd, top);
  if (named.length > 0 && (within.length > 0 || isElsewhere))
    return l10n.t("the repository's configuration sets {0}, which can make git run other programs", 'core.worktree');
  const isNamed = named.length > 0 || (await isKnownWorkTree({ top, own, common }, fileSystem));
  if (within.length < 2 && !isNatural && !isNamed)
    return l10n.t('the files of the repository are in another place, {0}', common);
  for (const folder of new Set(within)) {
    const problem = await findWayOut(folder, fileSystem);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether the repository itself names the work tree. The workspace cannot write that. */
async function isKnownWorkTree(
  { top, own, common }: { readonly top: string; readonly own: string; readonly common: string },
  fileSystem: GitPlace['fileSystem'],
): Promise<boolean> {
  if (path.dirname(own) !== path.join(common, 'worktrees')) return false;
  const named = await readLine(path.join(own, 'gitdir'), fileSystem);
  if (named === undefined || path.basename(named) !== '.git') return false;
  return (await fileSystem.realPath(path.dirname(path.resolve(own, named)))) === top;
}

const MAX_NAME_BYTES = 10_000;

async function readLine(file: string, fileSystem: GitPlace['fileSystem']): Promise<string | undefined> {
  if ((await fileSystem.stat(file))?.kind !== 'file') return undefined;
  return new TextDecoder().decode(await fileSystem.readSlice(file, 0, MAX_NAME_BYTES)).replace(/\r?\n$/, '');
}

async function findWayOut(folder: string, fileSystem: GitPlace['fileSystem']): Promise<string | undefined> {
  if (await fileSystem.stat(path.join(folder, 'objects/info/alternates')))
    return l10n.t('the repository uses the objects of another one');
  const objects = path.join(folder, 'objects');
  const parts = await list(objects, fileSystem);
  const folders = [
    folder,
    path.join(folder, 'logs'),
    path.join(folder, 'info'),
    ...parts.map(({ name }) => path.join(objects, name)),
  ];
  const listed = await Promise.all(folders.map((name) => list(name, fileSystem)));
  // Programs of hooks are switched off. In old repositories HEAD is a link to a branch.
  const link = [...parts, ...listed.flat()].find(
    ({ isSymbolicLink, name }) => isSymbolicLink && name !== 'hooks' && name !== 'HEAD',
  );
  return link ? l10n.t('a link, {0}, leads out of the folder of git', link.name) : undefined;
}

async function list(folder: string, fileSystem: GitPlace['fileSystem']): ReturnType<FileSystem['listDirectory']> {
  return (await fileSystem.stat(folder))?.kind === 'directory' ? fileSystem.listDirectory(folder) : [];
}
