import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../files/unlessMissing';
import type { ProtectedEntry } from './findProtectedEntries';

/**
 * Moves an entry out of the workspace, so that no program outside obeys it. Of a repository that has another name than
 * `.git`, moves only the HEAD file, without which git does not take the folder for one. Gives the new place;
 * `undefined` if the entry is gone. Rejects if it cannot be moved.
 */
export async function setAside(entry: ProtectedEntry, folder: string): Promise<string | undefined> {
  const file = entry.isRepository ? await headOf(entry.path) : entry.path;
  if (file === undefined) return undefined;
  const place = path.join(folder, randomBytes(4).toString('hex'), path.basename(file));
  await fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  try {
    await move(file, place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    await fs.rmdir(path.dirname(place)).catch(() => {});
    if (code === 'ENOENT') return undefined;
    throw error;
  }
  return place;
}

/** As long as deleted sessions are kept. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes what was set aside 30 days ago or earlier. */
export async function pruneSetAside(folder: string, nowMs: number): Promise<void> {
  for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
    const place = path.join(folder, name);
    // Each entry has a folder of its own, made when it was set aside. Another window may have removed it just now.
    const stats = await unlessMissing(fs.lstat(place));
    if (stats && nowMs - stats.mtimeMs > MAX_AGE_MS) await fs.rm(place, { recursive: true, force: true });
  }
}

async function headOf(folder: string): Promise<string | undefined> {
  const names = await fs.readdir(folder).catch(() => []);
  const name = names.find((one) => one.toLowerCase() === 'head');
  return name === undefined ? undefined : path.join(folder, name);
}

async function move(file: string, place: string): Promise<void> {
  try {
    await rename(file, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // On another disk: first takes the name away, which is atomic, then copies.
    const aside = path.join(path.dirname(file), `set-aside-${path.basename(path.dirname(place))}`);
    await rename(file, aside);
    await fs.cp(aside, place, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await fs.rm(aside, { recursive: true, force: true });
  }
}

/** The command may have taken the right to write from the folder. */
async function rename(from: string, to: string): Promise<void> {
  try {
    await fs.rename(from, to);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await fs.chmod(path.dirname(from), 0o700);
    await fs.rename(from, to);
  }
}
