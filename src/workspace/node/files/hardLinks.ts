import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { Slices } from '../../../util/slices/slices';
import { protectionTier } from '../../paths/protectedPaths';
import type { ProtectedLinks } from '../../ports';
import { readFolder } from './listEntries';
import { unlessMissing } from './unlessMissing';

/** The most entries of folders that one scan looks at. Names of more files cannot all be known. */
const MAX_ENTRIES = 300_000;

/** The most protected names of one file that are kept. Each reading of one of them looks at all. */
const MAX_NAMES = 100;
const FILES_AT_ONCE = 64;

/** A scan counts for a file whose links changed this long before it, because clocks of file systems are coarse. */
const MARGIN_MS = 2_000;

/** The protected files of some folders that have several names, by the identity of the file. */
interface Scan {
  readonly startedMs: number;
  readonly key: string;
  readonly result: Promise<{
    readonly names: ReadonlyMap<string, readonly string[]>;
    /** Files with more names than are kept. */
    readonly crowded: ReadonlySet<string>;
    readonly isComplete: boolean;
  }>;
}

/**
 * Finds the protected names of files with several names (hard links). Making or removing a name changes the time of the
 * file itself, so one scan serves all files that have not changed since.
 */
export class HardLinks {
  readonly #maxEntries: number;
  #scan: Scan | undefined;

  constructor(maxEntries = MAX_ENTRIES) {
    this.#maxEntries = maxEntries;
  }

  async find(file: string, folders: readonly string[]): Promise<ProtectedLinks> {
    const stats = await unlessMissing(fs.stat(file));
    if (!stats?.isFile() || stats.nlink < 2) return { names: [], isComplete: true };
    const { names, crowded, isComplete } = await this.#scanFor(stats, folders).result;
    const id = identityOf(stats);
    return {
      names: (names.get(id) ?? []).filter((name) => name !== file),
      isComplete: isComplete && !crowded.has(id),
    };
  }

  #scanFor({ ctimeMs }: Stats, folders: readonly string[]): Scan {
    const key = JSON.stringify(folders);
    const known = this.#scan;
    if (known?.key === key && ctimeMs < known.startedMs - MARGIN_MS) return known;
    this.#scan = { key, startedMs: Date.now(), result: scan(folders, this.#maxEntries) };
    return this.#scan;
  }
}

async function scan(folders: readonly string[], maxEntries: number): Promise<Awaited<Scan['result']>> {
  const names = new Map<string, string[]>();
  const crowded = new Set<string>();
  const slices = new Slices();
  let left = maxEntries;
  for (const top of folders) {
    const open = [top];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries = await entriesOf(folder);
      left -= entries.length;
      if (left < 0) return { names, crowded, isComplete: false };
      const guarded: string[] = [];
      for (const entry of entries) {
        if (slices.isOver()) await slices.pause();
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) open.push(file);
        if (entry.isFile() && protectionTier(path.relative(top, file)) !== undefined) guarded.push(file);
      }
      for (let first = 0; first < guarded.length; first += FILES_AT_ONCE) {
        const batch = guarded.slice(first, first + FILES_AT_ONCE);
        const found = await Promise.all(batch.map((file) => unlessMissing(fs.lstat(file))));
        for (const [index, file] of batch.entries()) {
          const stats = found[index];
          if (!stats || stats.nlink < 2) continue;
          const id = identityOf(stats);
          const known = names.get(id);
          if (!known) names.set(id, [file]);
          else if (known.length < MAX_NAMES) known.push(file);
          else crowded.add(id);
        }
      }
    }
  }
  return { names, crowded, isComplete: true };
}

/** Nothing of a folder that must not be read, or is gone. */
async function entriesOf(folder: string) {
  try {
    return await readFolder(folder);
  } catch {
    // Its files can be read by nobody who runs this process.
    return [];
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
