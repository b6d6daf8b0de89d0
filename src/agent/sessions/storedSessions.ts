import path from 'node:path';
import { namesIn, sessionIdOf, sessionPath, unlessMissing, type DiskCalls } from './sessionDisk';
import { readIndex, writeIndex, type IndexedFile } from './sessionIndex';
import { summarise, type SessionSketch } from './summarise';

/** What is on file of a session. */
export interface StoredSession extends SessionSketch {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly updatedMs: number;
}

export interface StoredSessionsParts {
  readonly directory: string;
  readonly disk: DiskCalls;
  readonly newToken: () => string;
  readonly now: () => number;
  /** Gets what goes wrong with the index and with sweeping up; the list does not depend on them. */
  readonly onInternalError: (error: unknown) => void;
}

/** As many as are read at a time. */
const READERS = 16;
/** What a process that died in the middle of something has left behind. */
const LEFTOVER = /\.tmp$|\.lock\.[\w-]+$/;
const LEFTOVER_AGE_MS = 60 * 60_000;

/** The sessions in a folder. Their files are what counts; the index only saves reading those that have not changed. */
export class StoredSessions {
  readonly directory: string;
  readonly #parts: StoredSessionsParts;
  #known: Map<string, IndexedFile> | undefined;

  constructor(parts: StoredSessionsParts) {
    this.directory = parts.directory;
    this.#parts = parts;
  }

  async has(id: string): Promise<boolean> {
    return (await unlessMissing(this.#parts.disk.stat(sessionPath(this.directory, id)))) !== undefined;
  }

  /** In no order. Files without an entry, or gone meanwhile, are left out; so are those the caller knows better. */
  async list(isKnown: (id: string) => boolean = () => false): Promise<readonly StoredSession[]> {
    const { disk } = this.#parts;
    const names = await namesIn(this.directory, disk);
    if (names.length === 0) return [];
    const known = (this.#known ??= await this.#begin(names));
    const ids = names.flatMap((name) => sessionIdOf(name) ?? []).filter((id) => !isKnown(id));
    const found: StoredSession[] = [];
    const before = known.size;
    let isChanged = false;
    const rest = ids.values();
    await Promise.all(
      Array.from({ length: READERS }, async () => {
        for (const id of rest) {
          const { file, isNew } = await this.#look(id, known);
          isChanged ||= isNew;
          if (file?.sketch) found.push({ ...file.sketch, id, updatedMs: file.modifiedMs });
        }
      }),
    );
    const present = new Set(names);
    for (const id of known.keys()) if (!present.has(`${id}.jsonl`)) known.delete(id);
    if (isChanged || known.size !== before) await this.#guard(this.#save(known));
    return found;
  }

  async #look(id: string, known: Map<string, IndexedFile>): Promise<{ file?: IndexedFile; isNew: boolean }> {
    const { disk } = this.#parts;
    const filePath = sessionPath(this.directory, id);
    const stats = await unlessMissing(disk.stat(filePath));
    if (!stats) return { isNew: false };
    const { size, mtimeMs: modifiedMs } = stats;
    const before = known.get(id);
    if (before?.size === size && before.modifiedMs === modifiedMs) return { file: before, isNew: false };
    const bytes = await unlessMissing(disk.readFile(filePath));
    const file = { size, modifiedMs, sketch: (bytes && summarise(bytes)) ?? null };
    known.set(id, file);
    return { file, isNew: true };
  }

  async #begin(names: readonly string[]): Promise<Map<string, IndexedFile>> {
    await this.#guard(this.#sweep(names));
    try {
      return await readIndex(this.directory, this.#parts.disk);
    } catch (error) {
      this.#parts.onInternalError(error);
      return new Map();
    }
  }

  async #save(known: ReadonlyMap<string, IndexedFile>): Promise<void> {
    const { disk, newToken } = this.#parts;
    await writeIndex(this.directory, known, { disk, token: newToken() });
  }

  async #sweep(names: readonly string[]): Promise<void> {
    const { disk, now } = this.#parts;
    for (const name of names) {
      if (!LEFTOVER.test(name)) continue;
      const filePath = path.join(this.directory, name);
      const stats = await unlessMissing(disk.stat(filePath));
      if (stats && now() - stats.mtimeMs > LEFTOVER_AGE_MS) await unlessMissing(disk.unlink(filePath));
    }
  }

  async #guard(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#parts.onInternalError(error);
    }
  }
}
