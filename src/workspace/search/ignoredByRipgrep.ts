import path from 'node:path';
import type { DirectoryEntry } from '../ports';
import { parseIgnoreRules, type IgnoreRules } from './ignorePatterns';

/**
 * What ripgrep surely leaves out of a folder. Knows only the plain cases: hidden names, and folders that a line of a
 * `.gitignore` names literally. A line with `!` can bring any of them back.
 */
export interface IgnoreScope {
  /** The lines with `!` of each folder from the top down, as rules that match what they bring back. */
  readonly broughtBack: readonly { readonly folder: string; readonly rules: IgnoreRules | 'everything' }[];
  /** Folders that the `.gitignore` files of this repository name. A path counts for one place, a name for any below. */
  readonly ignoredNames: ReadonlySet<string>;
  readonly ignoredPaths: ReadonlySet<string>;
  readonly isInRepository: boolean;
}

export const NO_SCOPE: IgnoreScope = {
  broughtBack: [],
  ignoredNames: new Set(),
  ignoredPaths: new Set(),
  isInRepository: false,
};

/** Reads a whole text file; `undefined`: it is too big or cannot be read. */
export type ReadText = (file: string) => Promise<string | undefined>;

const IGNORE_FILES: readonly string[] = ['.gitignore', '.ignore', '.rgignore'];

/** The names of entries that change a scope. */
export const NAMES_OF_SCOPE: readonly string[] = [...IGNORE_FILES, '.git', '.jj'];

/** The scope for the entries of `folder`, below the scope of its parent. */
export async function enterScope(
  scope: IgnoreScope,
  absolute: string,
  entries: readonly DirectoryEntry[],
  readText: ReadText,
): Promise<IgnoreScope> {
  const folder = withSlashes(absolute);
  const names = new Set(entries.map(({ name }) => name));
  const isTop = names.has('.git') || names.has('.jj');
  const broughtBack = [...scope.broughtBack];
  const ignoredNames = new Set(isTop ? [] : scope.ignoredNames);
  const ignoredPaths = new Set(isTop ? [] : scope.ignoredPaths);
  const files = IGNORE_FILES.filter((name) => names.has(name));
  if (names.has('.git')) files.push('.git/info/exclude');
  for (const file of files) {
    const text = await readText(`${folder}/${file}`);
    const isMissing = text === undefined && file === '.git/info/exclude';
    const lines = isMissing ? [] : (text?.split(/\r?\n/) ?? ['!*']);
    const restoring = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    // Ripgrep knows more patterns than git, such as braces.
    const isUnclear = restoring.some((line) => /[{}[\]\\]/.test(line));
    if (restoring.length > 0) {
      broughtBack.push({ folder, rules: isUnclear ? 'everything' : parseIgnoreRules(restoring) });
    }
    if (file !== '.gitignore') continue;
    for (const line of lines) {
      const [, slash, name = ''] = /^(\/?)([\w-][\w.-]*)\/?$/.exec(line) ?? [];
      if (slash === '') ignoredNames.add(name);
      if (slash === '/') ignoredPaths.add(`${folder}/${name}`);
    }
  }
  return { broughtBack, ignoredNames, ignoredPaths, isInRepository: scope.isInRepository || names.has('.git') };
}

/** Whether ripgrep leaves out an entry of a folder. */
export function isLeftOut(scope: IgnoreScope, folder: string, { name, kind }: DirectoryEntry): boolean {
  const target = `${withSlashes(folder)}/${name}`;
  const isIgnored =
    kind === 'directory' && scope.isInRepository && (scope.ignoredNames.has(name) || scope.ignoredPaths.has(target));
  if (!name.startsWith('.') && !isIgnored) return false;
  return !scope.broughtBack.some(
    (level) =>
      level.rules === 'everything' ||
      level.rules.test(target.slice(level.folder.length + 1) + (kind === 'directory' ? '/' : '')).ignored,
  );
}

/** Without a slash at the end, so the root is empty. */
function withSlashes(folder: string): string {
  return (path.sep === '\\' ? folder.replaceAll('\\', '/') : folder).replace(/\/$/, '');
}
