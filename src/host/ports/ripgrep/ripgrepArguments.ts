import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expandAlternatives } from '../../../workspace/search/globs';
import { isIgnored, levelsFor } from '../../../workspace/search/ignoreRules';
import { readIgnoreFile } from '../../../workspace/node/files/regularFile';
import type { TextQuery } from '../../../workspace/ports';

/** Larger files are generated or data. */
const MAX_FILE_SIZE = '2000000';

/** The limit of one argument on Windows, with room for the others. Linux allows four times as much. */
const MAX_PATTERN_LENGTH = 30_000;

/**
 * Whether ripgrep reads the pattern as JavaScript does. It splits at line breaks, and no argument can hold a NUL. It
 * gives `\<` and set operations in brackets another meaning.
 */
export function canRipgrepRead({ pattern, isRegex }: Pick<TextQuery, 'pattern' | 'isRegex'>): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH || /[\n\r\0]/.test(pattern)) return false;
  return !isRegex || !/\\[<>]|\[[^\]]*(?:&&|--|~~)/.test(pattern);
}

/**
 * The arguments for a run in the searched folder, or in the file's folder. No text of the model can become an option.
 */
export async function ripgrepArguments(query: TextQuery, kind: 'folder' | 'file'): Promise<readonly string[]> {
  return [
    '--json',
    '--no-config',
    '--no-messages',
    '--no-follow',
    '--crlf',
    query.isRegex ? '--no-fixed-strings' : '--fixed-strings',
    query.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    // Sorting uses one thread, but gives the same answer every time, even when cut.
    ...['--sort', 'path'],
    ...['--max-filesize', MAX_FILE_SIZE],
    ...['--max-count', String(query.maxMatches + 1)],
    ...(kind === 'folder' ? await folderArguments(query) : []),
    ...['-e', query.pattern],
    '--',
    kind === 'folder' ? '.' : `./${path.basename(query.path)}`,
  ];
}

async function folderArguments({ path: folder, include }: TextQuery): Promise<readonly string[]> {
  return [
    // Only the repository's own `.gitignore` files count, so everybody gets the same files.
    ...['--hidden', '--no-ignore-dot', '--no-ignore-exclude', '--no-ignore-global'],
    ...(await parentRules(folder)),
    ...['--glob', '!.git/', '--glob', '!node_modules/'],
    ...(include === undefined ? [] : nameFilter(include)),
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
 * Lets ripgrep filter files by extension where that is safe; the whole glob is checked afterwards. Uses types because
 * `--glob` would bring back ignored files.
 */
function nameFilter(include: string): readonly string[] {
  const names = expandAlternatives(include)
    .filter((glob) => !glob.startsWith('!'))
    .map((glob) => glob.split('/').at(-1) ?? '');
  if (names.length === 0 || !names.every((name) => /^\*(?:\.[A-Za-z0-9_-]+)+$/.test(name))) return [];
  return [...names.flatMap((name) => ['--type-add', `wanted:${inAnyCase(name)}`]), '--type', 'wanted'];
}

function inAnyCase(glob: string): string {
  return glob.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

async function findRepository(folder: string): Promise<string | undefined> {
  for (let current = folder; ; current = path.dirname(current)) {
    try {
      await stat(path.join(current, '.git'));
      return current;
    } catch {
      // No repository here, or not readable.
      if (current === path.dirname(current)) return undefined;
    }
  }
}
