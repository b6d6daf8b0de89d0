import * as l10n from '../../util/l10n';
import path from 'node:path';
import type { FileSystem } from '../ports';

/** More tracked files take too long to look at before each command. */
const MAX_FILES = 20_000;
const FILES_AT_ONCE = 64;

/**
 * Why git would show more than tracked, ordinary files when it opens those of the work tree; `undefined`: it would not. Their
 * folders may be links by now, and they may be other names (hard links) of protected files. Links in the place of files are not opened.
 * `files`: paths below the work tree, with slashes.
 */
export async function findExposedTracked(
  files: readonly string[],
  {
    top,
    rootPaths,
    fileSystem,
    isProtected,
  }: {
    readonly top: string;
    readonly rootPaths: readonly string[];
    readonly fileSystem: Pick<FileSystem, 'realPath' | 'protectedLinks'>;
    readonly isProtected: (file: string, alsoNamed: readonly string[] | 'unknown') => boolean;
  },
): Promise<string | undefined> {
  if (files.length > MAX_FILES) return l10n.t('the repository has too many files to look at');
  const realTop = await fileSystem.realPath(top);
  if (realTop === undefined) return l10n.t('the work tree is not there');
  for (const folder of new Set(files.map((file) => path.posix.dirname(file)))) {
    const real = await fileSystem.realPath(path.join(realTop, folder));
    if (real !== undefined && real !== path.join(realTop, folder))
      return l10n.t('a link is in the place of the folder {0}', folder);
  }
  const { protectedLinks } = fileSystem;
  for (let first = 0; protectedLinks && first < files.length; first += FILES_AT_ONCE) {
    const batch = files.slice(first, first + FILES_AT_ONCE);
    const links = await Promise.all(batch.map((file) => protectedLinks(path.join(realTop, file), rootPaths)));
    for (const [index, file] of batch.entries()) {
      const { names, isComplete } = links[index]!;
      const alsoNamed = names.map((name) => path.relative(realTop, name).replaceAll(path.sep, '/'));
      if (isProtected(file, isComplete ? alsoNamed : 'unknown'))
        return l10n.t('it could show {0}, which is protected', file);
    }
  }
  return undefined;
}
