import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from './unlessMissing';

/** The system calls behind `isSpelledSo`. */
export type SpellingCalls = Pick<typeof nodeFiles, 'lstat' | 'readdir'>;

/**
 * Whether an existing file has exactly this name. File systems that ignore case, as on Windows and macOS, also find it under
 * other spellings. Then a file whose name changed its case would count twice.
 */
export async function isSpelledSo(file: string, { lstat, readdir }: SpellingCalls = nodeFiles): Promise<boolean> {
  const name = path.basename(file);
  const folder = path.dirname(file);
  // If no file has the swapped name, the file system compares case, or the name has no letters.
  const swapped = swapCase(name);
  if (swapped === name || !(await unlessMissing(lstat(path.join(folder, swapped))))) return true;
  const names = await readdir(folder);
  // Some file systems treat composed and decomposed accents as equal.
  return names.some((other) => other.normalize() === name.normalize());
}

function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return name === upper ? name.toLowerCase() : upper;
}
