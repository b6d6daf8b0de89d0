import type { WalkedWorkspace } from '../../paths/folderReading';
import type { GuardedPath } from '../../plans';
import type { DirectoryEntry } from '../../ports';
import { guardRead } from '../checkReads';
import { unsafe } from '../commandReasons';
import { quoteWord } from '../commandRules';
import type { PatternedCommand, Token } from '../parse/analysis';
import { matchesFileName, readFileNamePattern } from './fileNamePattern';

/** How many entries of folders are looked at for one command. */
const MAX_ENTRIES = 20_000;

export type Expansion =
  /** `words`: those that the shell will read in `command`. */
  | { readonly ok: true; readonly command: string; readonly words: readonly string[] }
  /** Completes "Asks because …". */
  | { readonly ok: false; readonly problem: string };

/**
 * Replaces the file patterns of a command by the quoted names of files, as a POSIX shell would in this folder. So the names
 * can be judged, and the shell gets no pattern. A pattern without a match stays as it is, in quotes. Looks into folders of
 * the workspace only, and not into protected ones.
 */
export async function expandPatterns(
  { command, words }: PatternedCommand,
  folder: GuardedPath,
  workspace: WalkedWorkspace,
): Promise<Expansion> {
  const budget = { entries: MAX_ENTRIES };
  const replaced: string[] = [];
  let written = '';
  let end = 0;
  for (const word of words) {
    if (!word.wildcards) {
      replaced.push(word.text);
      continue;
    }
    const names = await findMatches(word, folder, workspace, budget);
    if (typeof names === 'string') return { ok: false, problem: names };
    written += command.slice(end, word.start) + names.map(quoteWord).join(' ');
    end = word.end;
    replaced.push(...names);
  }
  return { ok: true, command: written + command.slice(end), words: replaced };
}

/** The words that a word with patterns stands for, or why that cannot be found out. */
async function findMatches(
  { text, wildcards = [] }: Token,
  folder: GuardedPath,
  workspace: WalkedWorkspace,
  budget: { entries: number },
): Promise<readonly string[] | string> {
  // Shells differ in how many slashes they keep.
  if (text.includes('//')) return unsafe.hasDoubledSlash(text);
  let found: readonly string[] = [''];
  let hasMatched = false;
  let start = 0;
  const parts = text.split('/');
  for (const [index, part] of parts.entries()) {
    const offsets = new Set(wildcards.map((offset) => offset - start));
    const isPattern = [...offsets].some((offset) => offset >= 0 && offset < part.length);
    const isLast = index === parts.length - 1;
    start += part.length + 1;
    const next: string[] = [];
    for (const before of found) {
      if (!isPattern && !(hasMatched && isLast)) {
        next.push(before + part + (isLast ? '' : '/'));
        continue;
      }
      const entries = await listFolder(before, folder, workspace);
      if (typeof entries === 'string') return entries;
      budget.entries -= entries.length;
      if (budget.entries < 0) return unsafe.hasTooManyMatches(text);
      if (!isPattern) {
        // After a slash at the end, everything is a folder that could be listed.
        if (part === '' ? entries.isFolder : entries.names.includes(part)) next.push(before + part);
        continue;
      }
      const pattern = readFileNamePattern(part, offsets);
      if (['.', '..'].some((name) => matchesFileName(pattern, name))) return unsafe.matchesParent(text);
      const names = entries.names.filter((name) => matchesFileName(pattern, name));
      const strange = names.find((name) => name.includes('\ufffd') || (before === '' && name.startsWith('-')));
      if (strange !== undefined) return unsafe.matchesStrange(text, strange);
      next.push(...names.map((name) => before + name + (isLast ? '' : '/')));
    }
    hasMatched ||= isPattern;
    found = next;
  }
  return found.length === 0 ? [text] : found.toSorted(byCodeUnits);
}

interface Listed {
  readonly isFolder: boolean;
  readonly names: readonly string[];
  readonly length: number;
}

const NOTHING: Listed = { isFolder: false, names: [], length: 0 };

/** What is in a folder, as far as the process may know. */
async function listFolder(name: string, folder: GuardedPath, workspace: WalkedWorkspace): Promise<Listed | string> {
  const guarded = await guardRead(name === '' ? '.' : name, folder, workspace);
  if (typeof guarded === 'string') return guarded;
  const stat = await workspace.fileSystem.stat(guarded.realPath);
  if (stat?.kind !== 'directory') return NOTHING;
  let entries: readonly DirectoryEntry[];
  try {
    entries = await workspace.fileSystem.listDirectory(guarded.realPath);
  } catch (error) {
    // The shell, which runs as the same user, cannot list it either.
    if (['EACCES', 'EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return { ...NOTHING, isFolder: true };
    throw error;
  }
  return { isFolder: true, names: entries.map((entry) => entry.name), length: entries.length };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
