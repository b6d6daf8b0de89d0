import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from './unlessMissing';

/** The system calls behind `isSpelledSo`. */
export type SpellingCalls = Pick<typeof nodeFiles, 'lstat' | 'readdir'>;

/**
 * Whether a file that is there has this name. Where names that differ in case only are one file, as on Windows and macOS,
 * it is also found under other names, and a file whose name changed its case would count as there twice.
 */
export async function isSpelledSo(file: string, { lstat, readdir }: SpellingCalls = nodeFiles): Promise<boolean> {
  const name = path.basename(file);
  const folder = path.dirname(file);
  // Where the other case is nobody's name, case counts or the name has none.
  const swapped = swapCase(name);
  if (swapped === name || !(await unlessMissing(lstat(path.join(folder, swapped))))) return true;
  const names = await readdir(folder);
  // Accents can be written in two ways, and some file systems take them for one as well.
  return names.some((other) => other.normalize() === name.normalize());
}

function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return name === upper ? name.toLowerCase() : upper;
}
