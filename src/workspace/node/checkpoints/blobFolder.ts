import { createHash, randomUUID } from 'node:crypto';
import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import type { BlobStore } from '../../checkpoints/ports';
import { draftName, isAbandoned } from '../files/drafts';
import { unlessMissing } from '../files/unlessMissing';

/** The system calls for storing contents. Tests pass calls that fail. */
export type BlobCalls = Pick<
  typeof nodeFiles,
  'mkdir' | 'open' | 'readFile' | 'readdir' | 'rename' | 'stat' | 'unlink' | 'utimes'
>;

export interface PruneLimits {
  /** Milliseconds since a content was last stored. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export interface BlobFolder extends BlobStore {
  /** Removes old contents, then the oldest until the total size fits. Keeps the contents that this object stored. */
  prune(limits: PruneLimits, nowMs: number): Promise<void>;
}

const NAME = /^[0-9a-f]{64}$/;
/** A content that is being removed: `<name>.<token>.pruned`. */
const PRUNED = /^([0-9a-f]{64})\.[0-9a-f]+\.pruned$/;

/**
 * Stores contents in a folder, in files named by their SHA-256. Several processes may share the folder. Pruning never
 * removes a content that another process stores at the same time.
 */
export function createBlobFolder(folder: string, calls: BlobCalls = nodeFiles): BlobFolder {
  const { mkdir, open, readFile, readdir, rename, stat, unlink, utimes } = calls;
  /** Stored contents, kept as long as this object lives. */
  const kept = new Map<string, Promise<void>>();
  const shelfOf = (hash: string): string => path.join(folder, hash.slice(0, 2));
  const fileOf = (hash: string): string => path.join(shelfOf(hash), hash);

  return {
    async put(bytes, { durable = false } = {}) {
      const hash = sha256(bytes);
      // The same content is written only once, even if it is stored twice at the same time.
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
      if (!NAME.test(hash)) return undefined;
      const bytes = (await unlessMissing(readFile(fileOf(hash)))) ?? (await readPruned(hash));
      return bytes && sha256(bytes) === hash ? bytes : undefined;
    },

    async prune({ maxAgeMs, maxBytes }, nowMs) {
      await clearUp(nowMs);
      const blobs = (await listBlobs()).filter(({ name }) => !kept.has(name)).sort((a, b) => b.usedMs - a.usedMs);
      let bytes = 0;
      for (const blob of blobs) {
        bytes += blob.size;
        if (bytes > maxBytes || nowMs - blob.usedMs > maxAgeMs) await removeUnlessUsed(blob);
      }
    },
  };

  /** Writes a whole file or nothing. An existing file is marked as used now. */
  async function writeBlob(file: string, bytes: Uint8Array): Promise<void> {
    if (await markUsed(file, bytes.byteLength)) return;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const temporary = await draftName(file, newToken());
    try {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
    } catch (error) {
      await unlessMissing(unlink(temporary));
      throw error;
    }
  }

  /** False if the file is missing, has another size, or was removed just now. */
  async function markUsed(file: string, size: number): Promise<boolean> {
    if ((await unlessMissing(stat(file)))?.size !== size) return false;
    const now = new Date();
    return (await unlessMissing(utimes(file, now, now).then(() => true))) ?? false;
  }

  /** Syncs the file. Writes it again if another window has pruned it. */
  async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
    if (await unlessMissing(sync(file))) return;
    await writeBlob(file, bytes);
    await sync(file);
  }

  async function sync(file: string): Promise<true> {
    const handle = await open(file, 'r+');
    try {
      await handle.sync();
      return true;
    } finally {
      await handle.close();
    }
  }

  /**
   * Renames the file first and checks it then, because a check before the removal could be outdated. A process that stores
   * the same content either marked the file as used before, or does not find it and writes it again.
   */
  async function removeUnlessUsed({ file, usedMs }: StoredBlob): Promise<void> {
    const aside = `${file}.${newToken()}.pruned`;
    // Another window may prune at the same time.
    if (!(await unlessMissing(rename(file, aside).then(() => true)))) return;
    const now = await unlessMissing(stat(aside));
    if (now && now.mtimeMs !== usedMs) await unlessMissing(rename(aside, file));
    else await unlessMissing(unlink(aside));
  }

  /** Reads a content that another window is pruning, or was pruning when it died. */
  async function readPruned(hash: string): Promise<Uint8Array | undefined> {
    for (const name of await namesIn(shelfOf(hash))) {
      if (PRUNED.exec(name)?.[1] !== hash) continue;
      const bytes = await unlessMissing(readFile(path.join(shelfOf(hash), name)));
      if (bytes) return bytes;
    }
    // The other window may have renamed it back.
    return unlessMissing(readFile(fileOf(hash)));
  }

  /** Removes the leftovers of windows that died. */
  async function clearUp(nowMs: number): Promise<void> {
    for (const shelf of await namesIn(folder)) {
      for (const name of await namesIn(path.join(folder, shelf))) {
        if (NAME.test(name)) continue;
        const file = path.join(folder, shelf, name);
        const pruned = PRUNED.exec(name)?.[1];
        // The same name means the same content, so overwriting loses nothing.
        if (pruned !== undefined) await unlessMissing(rename(file, path.join(folder, shelf, pruned)));
        else if (await isAbandoned(name, nowMs - ((await unlessMissing(stat(file)))?.mtimeMs ?? nowMs)))
          await unlessMissing(unlink(file));
      }
    }
  }

  async function listBlobs(): Promise<readonly StoredBlob[]> {
    const blobs: StoredBlob[] = [];
    for (const shelf of await namesIn(folder)) {
      for (const name of await namesIn(path.join(folder, shelf))) {
        if (!NAME.test(name)) continue;
        const file = path.join(folder, shelf, name);
        const stats = await unlessMissing(stat(file));
        if (stats) blobs.push({ name, file, size: stats.size, usedMs: stats.mtimeMs });
      }
    }
    return blobs;
  }

  async function namesIn(directory: string): Promise<readonly string[]> {
    return (await unlessMissing(readdir(directory))) ?? [];
  }
}

interface StoredBlob {
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly usedMs: number;
}

function newToken(): string {
  return randomUUID().slice(0, 8);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
