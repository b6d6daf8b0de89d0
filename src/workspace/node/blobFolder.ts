import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { BlobStore } from '../checkpoints/ports';

export interface PruneLimits {
  /** Milliseconds since something was last kept or found in use. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export interface BlobFolder extends BlobStore {
  /** Removes what is old, and then the oldest until the rest is small enough. What this object kept stays. */
  prune(limits: PruneLimits, nowMs: number): Promise<void>;
}

/** Contents in a folder of files named by their SHA-256. Several processes may share it. */
export function createBlobFolder(folder: string): BlobFolder {
  /** Known to be there, and wanted for as long as this object lives. */
  const kept = new Map<string, Promise<void>>();
  const fileOf = (hash: string): string => path.join(folder, hash.slice(0, 2), hash);

  return {
    async put(bytes, { durable = false } = {}) {
      const hash = sha256(bytes);
      // The same content is written once, also when it comes twice at the same time.
      const writing = kept.get(hash) ?? writeBlob(fileOf(hash), bytes);
      kept.set(hash, writing);
      try {
        await writing;
        if (durable) await writeDurably(fileOf(hash), bytes);
      } catch (error) {
        kept.delete(hash);
        throw error;
      }
      return hash;
    },

    async get(hash) {
      if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
      let bytes: Uint8Array;
      try {
        bytes = await fs.readFile(fileOf(hash));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      return sha256(bytes) === hash ? bytes : undefined;
    },

    async prune({ maxAgeMs, maxBytes }, nowMs) {
      const blobs = (await listBlobs(folder)).filter(({ name }) => !kept.has(name)).sort((a, b) => b.usedMs - a.usedMs);
      let bytes = 0;
      for (const { file, size, usedMs } of blobs) {
        bytes += size;
        if (bytes > maxBytes || nowMs - usedMs > maxAgeMs) await fs.rm(file, { force: true });
      }
    },
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Puts a file in place whole or not at all. One that is there already counts as used now. */
async function writeBlob(file: string, bytes: Uint8Array): Promise<void> {
  const now = new Date();
  const size = await sizeOf(file);
  if (size === bytes.byteLength) return fs.utimes(file, now, now);
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await fs.writeFile(temporary, bytes, { mode: 0o600 });
    await fs.rename(temporary, file);
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** Syncs what is there; writes it again where another window has pruned it. */
async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await syncFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await writeBlob(file, bytes);
    await syncFile(file);
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await fs.open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await fs.stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

interface StoredBlob {
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly usedMs: number;
}

async function listBlobs(folder: string): Promise<readonly StoredBlob[]> {
  const blobs: StoredBlob[] = [];
  for (const shelf of await listFolder(folder)) {
    for (const name of await listFolder(path.join(folder, shelf))) {
      const file = path.join(folder, shelf, name);
      try {
        const { size, mtimeMs } = await fs.stat(file);
        blobs.push({ name, file, size, usedMs: mtimeMs });
      } catch (error) {
        // Another window may be pruning as well.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
  return blobs;
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
