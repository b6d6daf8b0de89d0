import path from 'node:path';
import * as z from 'zod';
import { createLogStorage } from '../../sdk/session/createLogStorage';
import type { ReadPieces } from './findEntries';
import { sessionPath, unlessMissing, writeWhole, type DiskCalls } from './sessionDisk';
import { parseJson } from '../../util/json';

export interface FileCacheParts<T> {
  /** The folder of the sessions. */
  readonly directory: string;
  /** The name of the cache's file, beside the sessions. */
  readonly name: string;
  /** A file of another version is ignored. */
  readonly version: number;
  readonly value: z.ZodType<T>;
  /** Makes the value of a session's file. */
  readonly make: (read: ReadPieces) => Promise<T>;
  readonly disk: DiskCalls;
  readonly newToken: () => string;
  /** Gets errors of the cache's own file. */
  readonly onInternalError: (error: unknown) => void;
  /** Gets the path of each session file that is left out because it is a link. */
  readonly onLink?: ((filePath: string) => void) | undefined;
}

interface Cached<T> {
  /** The state of the source file; after a change of size or time the value is stale. */
  readonly size: number;
  readonly modifiedMs: number;
  readonly value: T;
}

/** The number of files that are read at a time. */
const READERS = 16;

/** Caches a value made from each session's file, so that only changed files are read again. */
export class FileCache<T> {
  readonly #parts: FileCacheParts<T>;
  #loading: Promise<Map<string, Cached<T>>> | undefined;

  constructor(parts: FileCacheParts<T>) {
    this.#parts = parts;
  }

  /** The values for these ids, without missing files. `present`: all ids that exist. */
  async read(ids: readonly string[], present: ReadonlySet<string>): Promise<ReadonlyMap<string, Cached<T>>> {
    const known = await (this.#loading ??= this.#load());
    const found = new Map<string, Cached<T>>();
    const before = known.size;
    let isChanged = false;
    const rest = ids.values();
    await Promise.all(
      Array.from({ length: READERS }, async () => {
        for (const id of rest) {
          const { cached, isNew } = await this.#look(id, known);
          isChanged ||= isNew;
          if (cached) found.set(id, cached);
        }
      }),
    );
    for (const id of known.keys()) if (!present.has(id)) known.delete(id);
    if (isChanged || known.size !== before) await this.#save(known);
    return found;
  }

  /** Removes the value of a session. */
  async forget(id: string): Promise<void> {
    const known = await (this.#loading ??= this.#load());
    if (known.delete(id)) await this.#save(known);
  }

  async #look(id: string, known: Map<string, Cached<T>>): Promise<{ cached?: Cached<T>; isNew: boolean }> {
    const { directory, disk, make, onLink } = this.#parts;
    const filePath = sessionPath(directory, id);
    const stats = await unlessMissing(disk.lstat(filePath));
    // A link could lead to any file.
    if (stats?.isSymbolicLink()) onLink?.(filePath);
    if (!stats?.isFile()) return { isNew: false };
    const { size, mtimeMs: modifiedMs } = stats;
    const before = known.get(id);
    if (before?.size === size && before.modifiedMs === modifiedMs) return { cached: before, isNew: false };
    const cached = { size, modifiedMs, value: await make(() => createLogStorage(disk).read(filePath)) };
    known.set(id, cached);
    return { cached, isNew: true };
  }

  /** Reads a missing or broken file as empty. */
  async #load(): Promise<Map<string, Cached<T>>> {
    const { disk, version, value, onInternalError } = this.#parts;
    const cached = z.object({ size: z.number(), modifiedMs: z.number(), value });
    const schema = z.object({ v: z.literal(version), files: z.record(z.string(), cached) });
    try {
      const text = await unlessMissing(disk.readFile(this.#path, 'utf8'));
      const parsed = schema.safeParse(text === undefined ? undefined : parseJson(text));
      return new Map(Object.entries(parsed.data?.files ?? {}));
    } catch (error) {
      onInternalError(error);
      return new Map();
    }
  }

  /** Two windows may write at the same time: stale values are made again. */
  async #save(known: ReadonlyMap<string, Cached<T>>): Promise<void> {
    const { disk, newToken, version, onInternalError } = this.#parts;
    const text = JSON.stringify({ v: version, files: Object.fromEntries(known) });
    try {
      await writeWhole(this.#path, text, { disk, token: newToken() });
    } catch (error) {
      onInternalError(error);
    }
  }

  get #path(): string {
    return path.join(this.#parts.directory, this.#parts.name);
  }
}
