import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Finds a file by its name, at any depth. */
export async function findFile(folder: string, name: string): Promise<string | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.find((entry) => entry.isFile() && entry.name === name);
  return found && path.join(found.parentPath, found.name);
}
