import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

export interface SnapshotEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes as Latin 1; the target of a link. */
  readonly content: string;
  readonly mode: number;
  /** Differs when the entry was changed, or replaced by an equal one. */
  readonly stamp: string;
}

/** Everything below a folder, by its path relative to the folder. */
export type Snapshot = ReadonlyMap<string, SnapshotEntry>;

/** Reads everything below a folder, except what `isLeftOut` names. Follows no link. */
export async function takeSnapshot(top: string, isLeftOut: (name: string) => boolean): Promise<Snapshot> {
  const found = new Map<string, SnapshotEntry>();
  const walk = async (folder: string): Promise<void> => {
    let names: readonly string[];
    try {
      names = await readdir(path.join(top, folder));
    } catch {
      // There is no such folder.
      return;
    }
    for (const one of names.toSorted()) {
      const name = folder === '' ? one : `${folder}/${one}`;
      if (isLeftOut(name)) continue;
      const entry = await look(path.join(top, name)).catch(unlessGone);
      if (!entry) continue;
      found.set(name, entry);
      if (entry.kind === 'folder') await walk(name);
    }
  };
  await walk('');
  return found;
}

async function look(file: string): Promise<SnapshotEntry> {
  const stats = await lstat(file);
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: 'folder', content: '', mode, stamp: `folder ${mode}` };
  if (stats.isSymbolicLink()) {
    const content = await readlink(file);
    return { kind: 'link', content, mode, stamp: `link ${content}` };
  }
  if (!stats.isFile()) return { kind: 'other', content: '', mode, stamp: 'other' };
  const content = await readFile(file, 'latin1');
  return { kind: 'file', content, mode, stamp: `file ${mode} ${stats.mtimeMs} ${content}` };
}

/** Another program may remove a file meanwhile. Throws every other error. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** The names that are new, gone or changed, each with what happened. */
export function differences(before: Snapshot, after: Snapshot): readonly string[] {
  const found: string[] = [];
  for (const [name, { stamp }] of before) {
    const now = after.get(name);
    if (!now) found.push(`removed ${name}`);
    else if (now.stamp !== stamp) found.push(`changed ${name}`);
  }
  for (const name of after.keys()) if (!before.has(name)) found.push(`created ${name}`);
  return found;
}
