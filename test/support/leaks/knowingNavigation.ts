import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CodeNavigation } from '../../../src/workspace/codeNavigation';
import { fakeNavigation } from '../fakeNavigation';
import type { LeakWorld } from './world';

/** A language server that knows every file of the world and names all of them, as a real one may. */
export async function knowingNavigation({ top }: Pick<LeakWorld, 'top'>): Promise<CodeNavigation> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const names = entries
    .filter(
      (entry) => entry.isFile() && !/\/(?:\.git\/objects|storage|canary|bin)(?:\/|$)/.test(`${entry.parentPath}/`),
    )
    .map((entry) => path.join(entry.parentPath, entry.name));
  const files = await Promise.all(names.map(async (name) => [name, await readFile(name, 'latin1')] as const));
  const known = fakeNavigation({ files: Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1))) });
  // The type of a constant may be a text of any file, here of each that is in both worlds.
  const everything = files.flatMap(([name, text]) => (/\/maybe/.test(name) ? [] : [JSON.stringify(text)])).join(' | ');
  return { ...known, hover: async (position, wait) => `${await known.hover(position, wait)}\n${everything}` };
}
