import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import { enterFolder, isIgnored, levelsFor, type IgnoreLevel } from '../../search/ignoreRules';
import { readIgnoreFile } from '../files/regularFile';
import { findRepository } from '../files/walkFiles';
import { isUnchanged, stampOf, type FileStamp } from './fileStamp';
import type { Slices } from '../../../util/slices/slices';

/** The system calls of a walk. Mostly synchronous, because ten thousand asynchronous ones take seconds. */
export interface WalkCalls {
  readonly lstatSync: (file: string, options: { readonly throwIfNoEntry: false }) => Stats | undefined;
  /** See `listEntries`. */
  readonly list: (folder: string) => readonly Dirent[] | Promise<readonly Dirent[]>;
}

export interface KeptFoldersParts {
  readonly calls: WalkCalls;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One folder, and the names of its files that git would not ignore. */
export interface KeptFolder {
  readonly folder: string;
  readonly files: readonly string[];
}

interface Remembered {
  readonly parents: readonly IgnoreLevel[];
  readonly ignoreText: string | undefined;
  readonly levels: readonly IgnoreLevel[];
  /** Whether a name is ignored; with `/` behind it, as a folder. */
  readonly ignored: Map<string, boolean>;
}

/**
 * Walks as `walkFiles` does, in no fixed order, and remembers from walk to walk which names are ignored. It lists every
 * folder each time, because not every file system tells by a folder's time that its entries changed.
 */
export class KeptFolders {
  readonly #parts: KeptFoldersParts;
  readonly #folders = new Map<string, Remembered>();
  #above: readonly IgnoreLevel[] = [];
  #aboveKey = '';
  readonly #ignoreTexts = new Map<string, { readonly stamp: FileStamp; readonly text: string | undefined }>();

  constructor(parts: KeptFoldersParts) {
    this.#parts = parts;
  }

  /** `isLeft`: folders that are not entered. */
  async *walk(
    start: string,
    isLeft: (folder: string) => boolean,
    slices: Slices,
    signal: AbortSignal,
  ): AsyncGenerator<KeptFolder, void, undefined> {
    signal.throwIfAborted();
    const seen = new Set<string>();
    const open: { readonly folder: string; readonly parents: readonly IgnoreLevel[] }[] = [
      { folder: start, parents: await this.#levelsAbove(start) },
    ];
    for (let next = open.pop(); next; next = open.pop()) {
      const { folder, parents } = next;
      if (isLeft(folder)) continue;
      if (slices.isOver()) await slices.pause(signal);
      const entries = await this.#list(folder);
      const hasRules = entries.some(({ name }) => name === '.gitignore');
      const remembered = await this.#recall(folder, parents, hasRules);
      const { levels, ignored } = remembered;
      this.#folders.set(folder, remembered);
      seen.add(folder);
      const files: string[] = [];
      for (const entry of entries) {
        const isFolder = entry.isDirectory();
        if (!isFolder && !entry.isFile()) continue;
        const key = isFolder ? `${entry.name}/` : entry.name;
        let isOut = ignored.get(key);
        if (isOut === undefined) {
          isOut = isIgnored(levels, path.join(folder, entry.name), isFolder);
          ignored.set(key, isOut);
          if (slices.isOver()) await slices.pause(signal);
        }
        if (isOut) continue;
        if (isFolder) open.push({ folder: path.join(folder, entry.name), parents: levels });
        else files.push(entry.name);
      }
      // Names that are gone would add up.
      if (ignored.size > 2 * entries.length + 100) ignored.clear();
      yield { folder, files };
    }
    for (const folder of this.#folders.keys()) if (!seen.has(folder)) this.#folders.delete(folder);
  }

  async #recall(folder: string, parents: readonly IgnoreLevel[], hasRules: boolean): Promise<Remembered> {
    const ignoreText = hasRules ? await this.#readIgnoreFile(path.join(folder, '.gitignore')) : undefined;
    const known = this.#folders.get(folder);
    if (known && known.parents === parents && known.ignoreText === ignoreText) return known;
    const levels =
      ignoreText === undefined ? parents : await enterFolder(parents, folder, () => Promise.resolve(ignoreText));
    return { parents, ignoreText, levels, ignored: new Map() };
  }

  /** The same value as long as the ignore files above are the same. */
  async #levelsAbove(start: string): Promise<readonly IgnoreLevel[]> {
    const top = (await findRepository(start)) ?? start;
    const texts: string[] = [];
    const read = async (file: string): Promise<string | undefined> => {
      const text = await this.#readIgnoreFile(file);
      texts.push(file, text ?? '');
      return text;
    };
    const levels = top === start ? [] : await levelsFor(top, path.dirname(start), read);
    // A folder that is ignored itself, and was opened, is meant.
    const above = isIgnored(levels, start, true) ? [] : levels;
    const key = JSON.stringify([start, texts, above.length]);
    if (key !== this.#aboveKey) {
      this.#aboveKey = key;
      this.#above = above;
    }
    return this.#above;
  }

  async #readIgnoreFile(file: string): Promise<string | undefined> {
    const { calls, now } = this.#parts;
    const lookedMs = now();
    const stats = withoutError(() => calls.lstatSync(file, { throwIfNoEntry: false }));
    if (!stats?.isFile()) return undefined;
    const known = this.#ignoreTexts.get(file);
    if (known && isUnchanged(known.stamp, stats)) return known.text;
    const text = await readIgnoreFile(file);
    this.#ignoreTexts.set(file, { stamp: stampOf(stats, lookedMs), text });
    return text;
  }

  async #list(folder: string): Promise<readonly Dirent[]> {
    try {
      return await this.#parts.calls.list(folder);
    } catch (error) {
      if (isSkipped(error)) return [];
      throw error;
    }
  }
}

/** `undefined`: the entry is gone, is a link, or must not be read. */
export function withoutError<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isSkipped(error)) return undefined;
    throw error;
  }
}

function isSkipped(error: unknown): boolean {
  return SKIPPED.has((error as NodeJS.ErrnoException).code ?? '');
}

export const SKIPPED: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);
