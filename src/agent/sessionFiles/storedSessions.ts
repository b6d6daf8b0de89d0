import path from 'node:path';
import * as z from 'zod';
import { FileCache } from './fileCache';
import { namesIn, sessionIdOf, sessionPath, unlessMissing, type DiskCalls } from './sessionDisk';
import { holdsAll, spokenIn, wordsOf } from './spokenWords';
import { SessionSketch, summarise } from './summarise';

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

/** What a process that died in the middle of something has left behind. */
const LEFTOVER = /\.tmp$|\.lock\.[\w-]+$/;
const LEFTOVER_AGE_MS = 60 * 60_000;

/** The sessions in a folder. Their files are what counts; the index only saves reading those that have not changed. */
export class StoredSessions {
  readonly directory: string;
  readonly #parts: StoredSessionsParts;
  /** `null`: the file holds no entry. */
  readonly #sketches: FileCache<SessionSketch | null>;
  /** Apart from the rest: what everybody has said is only needed for a search. */
  readonly #spoken: FileCache<string>;
  #isSwept = false;

  constructor(parts: StoredSessionsParts) {
    this.directory = parts.directory;
    this.#parts = parts;
    this.#sketches = new FileCache({
      ...parts,
      name: 'index.json',
      version: 2,
      value: SessionSketch.nullable(),
      make: (bytes) => summarise(bytes) ?? null,
    });
    this.#spoken = new FileCache({ ...parts, name: 'search.json', version: 1, value: z.string(), make: spokenIn });
  }

  async has(id: string): Promise<boolean> {
    return (await unlessMissing(this.#parts.disk.stat(sessionPath(this.directory, id)))) !== undefined;
  }

  /**
   * In no order. Files without an entry, or gone meanwhile, are left out; so are those the caller knows better. `words`
   * as `wordsOf` gives them: each has to be in the title or in what was said.
   */
  async list(
    words: readonly string[] = [],
    isKnown: (id: string) => boolean = () => false,
  ): Promise<readonly StoredSession[]> {
    const names = await namesIn(this.directory, this.#parts.disk);
    if (names.length === 0) return [];
    await this.#sweepOnce(names);
    const present = new Set(names.flatMap((name) => sessionIdOf(name) ?? []));
    const ids = [...present].filter((id) => !isKnown(id));
    const sketches = await this.#sketches.read(ids, present);
    const spoken = words.length > 0 ? await this.#spoken.read(ids, present) : undefined;
    return ids.flatMap((id): StoredSession[] => {
      const { value: sketch, modifiedMs } = sketches.get(id) ?? { value: null };
      if (!sketch || modifiedMs === undefined) return [];
      if (!holdsAll(words, [...wordsOf(sketch.title), spoken?.get(id)?.value ?? ''])) return [];
      return [{ ...sketch, id, updatedMs: modifiedMs }];
    });
  }

  /** For a session whose file is gone: what was said in it is not to be found here any longer than there. */
  async forget(id: string): Promise<void> {
    await Promise.all([this.#sketches.forget(id), this.#spoken.forget(id)]);
  }

  async #sweepOnce(names: readonly string[]): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    try {
      await this.#sweep(names);
    } catch (error) {
      this.#parts.onInternalError(error);
    }
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
}
