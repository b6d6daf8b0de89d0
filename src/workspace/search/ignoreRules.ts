import path from 'node:path';
import { parseIgnoreRules, type IgnoreRules } from './ignorePatterns';

/** The rules of one `.gitignore`, for paths below `folder`. */
export interface IgnoreLevel {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/** Reads a text file; `undefined` if it does not exist or cannot be read. */
export type ReadIgnoreFile = (file: string) => Promise<string | undefined>;

/** The levels for the entries of `folder`: its parents' levels, and its own `.gitignore` if it has one. */
export async function enterFolder(
  parents: readonly IgnoreLevel[],
  folder: string,
  read: ReadIgnoreFile,
): Promise<readonly IgnoreLevel[]> {
  const text = await read(path.join(folder, '.gitignore'));
  return text === undefined ? parents : [...parents, { folder, rules: parseIgnoreRules(text) }];
}

/** The levels from `root` down to `folder`, both included. */
export async function levelsFor(root: string, folder: string, read: ReadIgnoreFile): Promise<readonly IgnoreLevel[]> {
  let levels = await enterFolder([], root, read);
  let current = root;
  for (const segment of path.relative(root, folder).split(path.sep).filter(Boolean)) {
    current = path.join(current, segment);
    levels = await enterFolder(levels, current, read);
  }
  return levels;
}

/**
 * Whether git would ignore a file or folder whose parents are not ignored. The deepest matching rule decides. `.git` and
 * `node_modules` are always ignored.
 */
export function isIgnored(levels: readonly IgnoreLevel[], target: string, isDirectory: boolean): boolean {
  if (isDirectory && ALWAYS_IGNORED.has(path.basename(target))) return true;
  for (const { folder, rules } of levels.toReversed()) {
    const relative = path.relative(folder, target).split(path.sep).join('/');
    const { ignored, unignored } = rules.test(isDirectory ? `${relative}/` : relative);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

const ALWAYS_IGNORED: ReadonlySet<string> = new Set(['.git', 'node_modules']);
