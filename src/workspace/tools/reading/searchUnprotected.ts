import path from 'node:path';
import { guardPath } from '../../paths/guardPath';
import { holdsSecrets, isReadingProtected } from '../../paths/protectedPaths';
import type { GuardedPath } from '../../plans';
import type { TextQuery, TextSearchOutcome } from '../../ports';
import type { WorkspaceAccess } from '../workspaceAccess';

/** Each search again leaves out the files with secrets that the one before has found. */
const MAX_SEARCHES = 20;

/**
 * Searches a place without the files in it that may hold secrets, by any of their names. The outcome is the same as if
 * these files were not there, so that neither matches nor counts tell of them. Rejects as `TextSearch` does.
 */
export async function searchUnprotected(
  query: TextQuery,
  place: GuardedPath,
  { ports, roots }: WorkspaceAccess,
  signal: AbortSignal,
): Promise<TextSearchOutcome> {
  const { fileSystem, textSearch } = ports;
  const folders = await Promise.all(roots().map(async (root) => (await fileSystem.realPath(root.path)) ?? root.path));
  const linked = new Set<string>();
  const isWanted = (file: string): boolean => !holdsSecrets(`${place.pathInRoot}/${file}`) && !linked.has(file);
  for (let count = 0; count < MAX_SEARCHES; count++) {
    const outcome = await textSearch.search({ ...query, isWanted }, { signal });
    const files = [...new Set(outcome.matches.map((match) => match.path))];
    const secret = await Promise.all(files.map((file) => isLinkedToSecret(file)));
    if (!secret.includes(true)) return outcome;
    for (const [index, file] of files.entries()) {
      if (secret[index]) linked.add(path.relative(query.path, file).split(path.sep).join('/'));
    }
  }
  throw new Error('too many files are other names of protected files. Give another path');

  /** The name of the file is not protected, but the file may have another one. */
  async function isLinkedToSecret(file: string): Promise<boolean> {
    const links = await fileSystem.protectedLinks?.(file, folders);
    if (!links || (links.isComplete && links.names.length === 0)) return false;
    const guarded = await guardPath(file, { roots: roots(), fileSystem });
    return !guarded.ok || isReadingProtected(guarded.path);
  }
}
