import path from 'node:path';
import * as z from 'zod';
import { createLogStorage } from '../../sdk/session/createLogStorage';
import { EarlierPrompt, promptsIn } from './earlierPrompts';
import { FileCache } from './fileCache';
import { isAbandoned } from '../../workspace/node/files/drafts';
import { foundPieceIn, type FoundPiece } from './search/foundPiece';
import { namesIn, sessionIdOf, sessionPath, unlessMissing, type DiskCalls } from './sessionDisk';
import { holdsAll, spokenIn, wordsOf } from './search/spokenWords';
import { SessionSketch, summarise } from './summarise';

/** A session on file. */
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
  /** Gets errors of the index and of removing leftovers. The list does not depend on them. */
  readonly onInternalError: (error: unknown) => void;
  /** Gets the path of each session file that is not listed because it is a link, once. */
  readonly onLink?: ((filePath: string) => void) | undefined;
}

/** Leftovers of a process that died: drafts, and claims to a lock, which name no process. */
const LEFTOVER = /\.tmp$|\.lock\.[\w-]+$/;

/** The sessions in a folder. Their files count; the index only avoids reading unchanged files. */
export class StoredSessions {
  readonly directory: string;
  readonly #parts: StoredSessionsParts;
  /** `null`: the file holds no entry. */
  readonly #sketches: FileCache<SessionSketch | null>;
  /** Kept apart, because only a search needs the words. */
  readonly #spoken: FileCache<string>;
  readonly #prompts: FileCache<EarlierPrompt[]>;
  readonly #links = new Set<string>();
  #sweeping: Promise<void> | undefined;

  constructor(parts: StoredSessionsParts) {
    this.directory = parts.directory;
    this.#parts = parts;
    this.#sketches = new FileCache({
      ...parts,
      name: 'index.json',
      version: 2,
      value: SessionSketch.nullable(),
      make: async (read) => (await summarise(read)) ?? null,
      onLink: (filePath) => this.#tellLink(filePath),
    });
    const others = { ...parts, onLink: undefined };
    this.#spoken = new FileCache({ ...others, name: 'search.json', version: 1, value: z.string(), make: spokenIn });
    const value = z.array(EarlierPrompt);
    this.#prompts = new FileCache({ ...others, name: 'prompts.json', version: 1, value, make: promptsIn });
  }

  async has(id: string): Promise<boolean> {
    return (await unlessMissing(this.#parts.disk.stat(sessionPath(this.directory, id)))) !== undefined;
  }

  /**
   * In no order. Leaves out files without an entry, files that are gone and sessions that the caller knows better. `words`
   * are from `wordsOf`: each must be in the title or in a message.
   */
  async list(
    words: readonly string[] = [],
    isKnown: (id: string) => boolean = () => false,
  ): Promise<readonly StoredSession[]> {
    const names = await namesIn(this.directory, this.#parts.disk);
    if (names.length === 0) return [];
    await this.sweep(names);
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

  /** The prompts of these sessions, in no order. Leaves out sessions that are gone. */
  async prompts(ids: readonly string[]): Promise<readonly EarlierPrompt[]> {
    if (ids.length === 0) return [];
    const names = await namesIn(this.directory, this.#parts.disk);
    const present = new Set(names.flatMap((name) => sessionIdOf(name) ?? []));
    const found = await this.#prompts.read(ids, present);
    return [...found.values()].flatMap(({ value }) => value);
  }

  /** Where the words of a search are in a session. `undefined`: in no message, or the session is gone or unreadable. */
  async foundPiece(id: string, words: readonly string[]): Promise<FoundPiece | undefined> {
    const { disk, onInternalError } = this.#parts;
    try {
      return await foundPieceIn(() => createLogStorage(disk).read(sessionPath(this.directory, id)), words);
    } catch (error) {
      onInternalError(error);
      return undefined;
    }
  }

  /** For a deleted session: also removes its words from the search, and its prompts. */
  async forget(id: string): Promise<void> {
    await Promise.all([this.#sketches.forget(id), this.#spoken.forget(id), this.#prompts.forget(id)]);
  }

  /** Removes what dead processes left, the first time only. `names`: the names in the folder, if they are known. */
  sweep(names?: readonly string[]): Promise<void> {
    this.#sweeping ??= this.#sweep(names).catch(this.#parts.onInternalError);
    return this.#sweeping;
  }

  #tellLink(filePath: string): void {
    if (this.#links.has(filePath)) return;
    this.#links.add(filePath);
    this.#parts.onLink?.(filePath);
  }

  async #sweep(names?: readonly string[]): Promise<void> {
    const { disk, now } = this.#parts;
    for (const name of names ?? (await namesIn(this.directory, disk))) {
      if (!LEFTOVER.test(name)) continue;
      const filePath = path.join(this.directory, name);
      const stats = await unlessMissing(disk.stat(filePath));
      if (stats && (await isAbandoned(name, now() - stats.mtimeMs))) await unlessMissing(disk.unlink(filePath));
    }
  }
}
