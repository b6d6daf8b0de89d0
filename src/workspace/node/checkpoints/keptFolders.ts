import type { Dirent, Stats, StatsFs } from 'node:fs';
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
  readonly statfsSync: (folder: string) => Pick<StatsFs, 'type'>;
}

export interface KeptFoldersParts {
  readonly calls: WalkCalls;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface KeptFolder {
  readonly parents: readonly IgnoreLevel[];
  readonly ignoreText: string | undefined;
  readonly levels: readonly IgnoreLevel[];
  /** Whether a name is ignored; with `/` behind it, as a folder. */
  readonly ignored: Map<string, boolean>;
  /** Taken before the folder was listed. `undefined`: its times tell nothing. */
  readonly stamp: FileStamp | undefined;
  readonly hasIgnoreFile: boolean;
  /** The paths of what is in the folder and not ignored. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Walks as `walkFiles` does, in no fixed order, and lists from walk to walk only the folders that may have changed. */
export class KeptFolders {
  readonly #parts: KeptFoldersParts;
  readonly #folders = new Map<string, KeptFolder>();
  #above: readonly IgnoreLevel[] = [];
  #aboveKey = '';
  readonly #ignoreTexts = new Map<string, { readonly stamp: FileStamp; readonly text: string | undefined }>();

  constructor(parts: KeptFoldersParts) {
    this.#parts = parts;
  }

  /** The paths of the files that git would not ignore, folder by folder. `isLeft`: folders that are not entered. */
  async *walk(
    start: string,
    isLeft: (folder: string) => boolean,
    slices: Slices,
    signal: AbortSignal,
  ): AsyncGenerator<readonly string[], void, undefined> {
    signal.throwIfAborted();
    const { calls, now } = this.#parts;
    const device = this.#tellingDevice(start);
    const seen = new Set<string>();
    const open: { readonly folder: string; readonly parents: readonly IgnoreLevel[] }[] = [
      { folder: start, parents: await this.#levelsAbove(start) },
    ];
    for (let next = open.pop(); next; next = open.pop()) {
      const { folder, parents } = next;
      if (isLeft(folder)) continue;
      if (slices.isOver()) await slices.pause(signal);
      const lookedMs = now();
      const stats = lookAt(calls, folder);
      const telling = stats && stats.dev === device ? stats : undefined;
      let kept = this.#folders.get(folder);
      const isSame = kept?.stamp && telling && isUnchanged(kept.stamp, telling);
      if (!kept || !isSame || kept.parents !== parents || (await this.#hasNewRules(folder, kept)))
        kept = await this.#listed(folder, parents, telling && stampOf(telling, lookedMs), slices, signal);
      this.#folders.set(folder, kept);
      seen.add(folder);
      for (const below of kept.folders) open.push({ folder: below, parents: kept.levels });
      yield kept.files;
    }
    for (const folder of this.#folders.keys()) if (!seen.has(folder)) this.#folders.delete(folder);
  }

  async #listed(
    folder: string,
    parents: readonly IgnoreLevel[],
    stamp: FileStamp | undefined,
    slices: Slices,
    signal: AbortSignal,
  ): Promise<KeptFolder> {
    const entries = await this.#list(folder);
    const hasIgnoreFile = entries.some(({ name }) => name === '.gitignore');
    const { ignoreText, levels, ignored } = await this.#rulesOf(folder, parents, hasIgnoreFile);
    // Names that are gone would add up.
    if (ignored.size > 2 * entries.length + 100) ignored.clear();
    const start = folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`;
    const files: string[] = [];
    const folders: string[] = [];
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      const target = start + entry.name;
      const key = isFolder ? `${entry.name}/` : entry.name;
      let isOut = ignored.get(key);
      if (isOut === undefined) {
        isOut = isIgnored(levels, target, isFolder);
        ignored.set(key, isOut);
        if (slices.isOver()) await slices.pause(signal);
      }
      if (!isOut) (isFolder ? folders : files).push(target);
    }
    return { parents, ignoreText, levels, ignored, stamp, hasIgnoreFile, files, folders };
  }

  async #rulesOf(
    folder: string,
    parents: readonly IgnoreLevel[],
    hasIgnoreFile: boolean,
  ): Promise<Pick<KeptFolder, 'ignoreText' | 'levels' | 'ignored'>> {
    const ignoreText = hasIgnoreFile ? await this.#readIgnoreFile(path.join(folder, '.gitignore')) : undefined;
    const known = this.#folders.get(folder);
    if (known && known.parents === parents && known.ignoreText === ignoreText) return known;
    const levels =
      ignoreText === undefined ? parents : await enterFolder(parents, folder, () => Promise.resolve(ignoreText));
    return { ignoreText, levels, ignored: new Map() };
  }

  async #hasNewRules(folder: string, { hasIgnoreFile, ignoreText }: KeptFolder): Promise<boolean> {
    return hasIgnoreFile && (await this.#readIgnoreFile(path.join(folder, '.gitignore'))) !== ignoreText;
  }

  /** The device on which the time of a folder tells that its entries changed. Other devices are mounted below. */
  #tellingDevice(start: string): number | undefined {
    const { calls } = this.#parts;
    const type = withoutError(() => calls.statfsSync(start))?.type;
    if (type === undefined || !TELLING.has(type)) return undefined;
    return lookAt(calls, start)?.dev;
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
    const stats = lookAt(calls, file);
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

/** `undefined`: the entry is gone or must not be looked at. */
export function lookAt({ lstatSync }: WalkCalls, file: string): Stats | undefined {
  try {
    return lstatSync(file, NO_ERROR);
  } catch (error) {
    if (isSkipped(error)) return undefined;
    throw error;
  }
}

const NO_ERROR = { throwIfNoEntry: false } as const;

/** `undefined`: the entry is gone, is a link, or must not be read. */
function withoutError<T>(call: () => T): T | undefined {
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

/**
 * Types of Linux file systems that set a folder's time with each change of its entries: ext2 to ext4, XFS, Btrfs and tmpfs.
 * FAT does not, file systems over a network do it late, and other systems tell other numbers.
 */
const TELLING: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
