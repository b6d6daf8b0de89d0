import { stat } from 'node:fs/promises';
import path from 'node:path';
import { compileGlob } from '../../../workspace/search/globs';
import type { TextMatch, TextSearch } from '../../../workspace/ports';
import { compilePattern } from '../../../workspace/search/searchPattern';
import { canRipgrepRead, ripgrepArguments } from './ripgrepArguments';
import { runRipgrep, type RipgrepMatch } from './runRipgrep';

export interface RipgrepTextSearchParts {
  readonly ripgrepPath: string;
  /** Searches when ripgrep cannot: for lookarounds and backreferences, and when it does not start. */
  readonly fallback: TextSearch;
  /** How long ripgrep may print nothing before the fallback searches. Default: 20,000. */
  readonly stallMs?: number | undefined;
}

const MAX_LINE_LENGTH = 300;

/**
 * Searches with ripgrep. Gives the results of the search on Node: the same files, patterns and globs, in the same
 * order. Above `maxMatches` it keeps the matches of the first files by path.
 */
export function createRipgrepTextSearch({
  ripgrepPath,
  fallback,
  stallMs = 20_000,
}: RipgrepTextSearchParts): TextSearch {
  return {
    async search(query, { signal }) {
      const compiled = compilePattern(query);
      if (!compiled.ok) throw new Error(compiled.error);
      const stats = await stat(query.path);
      signal.throwIfAborted();
      const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
      if (kind === 'other' || !canRipgrepRead(query)) return fallback.search(query, { signal });

      const { include, isWanted } = query;
      const isIncluded = include === undefined ? () => true : compileGlob(include);
      const found = await runRipgrep(ripgrepPath, {
        args: await ripgrepArguments(query, kind),
        cwd: kind === 'folder' ? query.path : path.dirname(query.path),
        isWanted: (file) => kind === 'file' || (isWanted?.(file) !== false && isIncluded(file)),
        maxMatches: query.maxMatches,
        stallMs,
        signal,
      });
      // Ripgrep rejected the pattern, hangs, or does not run on this machine.
      if (found === undefined) return fallback.search(query, { signal });
      const folder = kind === 'folder' ? query.path : path.dirname(query.path);
      const matches = found.matches.toSorted(inOrderOfWalk).map(({ file, line, text }): TextMatch => ({
        path: path.join(folder, file),
        line,
        text: text.length <= MAX_LINE_LENGTH ? text : `${text.slice(0, MAX_LINE_LENGTH)}…`,
      }));
      return { matches, isCut: found.isCut };
    },
  };
}

/** By name, files before subfolders. Ripgrep sorts both together. */
function inOrderOfWalk(one: RipgrepMatch, other: RipgrepMatch): number {
  if (one.file === other.file) return 0;
  const [left, right] = [one.file.split('/'), other.file.split('/')];
  const depth = left.findIndex((name, index) => name !== right[index]);
  const [isLeftFile, isRightFile] = [depth === left.length - 1, depth === right.length - 1];
  if (isLeftFile !== isRightFile) return isLeftFile ? -1 : 1;
  return (left[depth] ?? '') < (right[depth] ?? '') ? -1 : 1;
}
