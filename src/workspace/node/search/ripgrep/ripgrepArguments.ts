import path from 'node:path';
import { extensionGlobs } from '../../../search/globs';
import { isIgnored, levelsFor } from '../../../search/ignoreRules';
import type { TextQuery } from '../../../ports';
import { readIgnoreFile } from '../../files/regularFile';
import { findRepository } from '../../files/walkFiles';
import type { RipgrepPattern } from './ripgrepPattern';

/** Larger files are generated or data. */
const MAX_FILE_SIZE = '2000000';

/**
 * The arguments for a run in the searched folder. It names the files with a match, with a NUL after each. No text of
 * the model can become an option.
 */
export async function ripgrepArguments(
  { path: folder, include }: Pick<TextQuery, 'path' | 'include'>,
  { pattern, ignoresCase }: RipgrepPattern,
): Promise<readonly string[]> {
  return [
    '--files-with-matches',
    '--null',
    '--no-config',
    '--no-messages',
    '--no-follow',
    // As they are: no byte order mark is removed, nothing is read as UTF-16.
    ...['--encoding', 'none'],
    ignoresCase ? '--ignore-case' : '--case-sensitive',
    ...['--max-filesize', MAX_FILE_SIZE],
    // Only the repository's own `.gitignore` files count, so everybody gets the same files.
    ...['--hidden', '--no-ignore-dot', '--no-ignore-exclude', '--no-ignore-global'],
    ...(await parentRules(folder)),
    ...['--glob', '!.git/', '--glob', '!node_modules/'],
    ...(include === undefined ? [] : nameFilter(include)),
    ...['-e', pattern],
    '--',
    '.',
  ];
}

/** Outside a repository, and for a named folder that is ignored itself, the rules above do not apply. */
async function parentRules(folder: string): Promise<readonly string[]> {
  const repository = await findRepository(folder);
  if (repository !== undefined) {
    const levels = repository === folder ? [] : await levelsFor(repository, path.dirname(folder), readIgnoreFile);
    if (!isIgnored(levels, folder, true)) return [];
  }
  return ['--no-require-git', '--no-ignore-parent'];
}

/**
 * Lets ripgrep filter files by extension where `extensionGlobs` can. Uses types: `--glob` would bring back ignored
 * files.
 */
function nameFilter(include: string): readonly string[] {
  const names = extensionGlobs(include);
  if (names === undefined) return [];
  return [...names.flatMap((name) => ['--type-add', `wanted:${inAnyCase(name)}`]), '--type', 'wanted'];
}

function inAnyCase(glob: string): string {
  return glob.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
