import { Slices } from '../../../util/slices/slices';
import { sortInSlices } from '../../../util/slices/sortInSlices';
import { holdsSecrets } from '../../paths/protectedPaths';
import type { FileSystem, Root } from '../../ports';
import { displayPath } from '../../paths/roots';
import { isVirtualPath } from '../../paths/virtualPaths';
import type { Disposable } from '../../../util/disposable';
import type { SetTimer } from '../../../util/timer';
import { walkVirtual } from '../search/virtualTextSearch';
import { walkFiles } from './walkFiles';

/** Further names are not listed, because they take too much memory. */
const MAX_NAMES = 200_000;
/** An older list is read again. */
const FRESH_MS = 10_000;
/** The same with a virtual folder: each of its folders is a call to the program that provides them. */
const VIRTUAL_FRESH_MS = 60_000;
/** A longer listing tells what it has found so far, again and again. */
const PATIENCE_MS = 150;

export interface FileNamesParts {
  readonly roots: () => readonly Root[];
  /** Lists virtual folders. Absent: they are left out. */
  readonly virtualFiles?: Pick<FileSystem, 'stat' | 'listDirectory' | 'openText'> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

export interface FoundNames {
  /** Best first. */
  readonly names: readonly string[];
  /** The files are still being listed: a better answer follows. */
  readonly isPartial: boolean;
}

interface Listing {
  readonly startedMs: number;
  /** Grows until the listing ends. */
  readonly names: readonly string[];
  readonly whole: Promise<readonly string[]>;
}

/** The display paths of the files in the workspace's folders, for suggestions while a person types. */
export class FileNames {
  readonly #parts: FileNamesParts;
  #listing: Listing | undefined;
  /** The last whole list. It answers while a new one is made. */
  #last: readonly string[] | undefined;
  #questions = 0;

  constructor(parts: FileNamesParts) {
    this.#parts = parts;
  }

  /**
   * At most `max` matching names, best first: the file name starts with the typed text, or contains it, or the path contains
   * it. Leaves out files that git ignores and files that may hold secrets.
   */
  async find(typed: string, max: number): Promise<readonly string[]> {
    return bestOf(await this.all(), typed, max);
  }

  /** As `find`. While the files are being listed, first tells what is known. A later question ends it. */
  async *search(typed: string, max: number): AsyncGenerator<FoundNames, void, undefined> {
    const question = ++this.#questions;
    const { names, whole } = this.#list();
    while (!(await this.#isDoneSoon(whole))) {
      const known = await bestOf(this.#last ?? names, typed, max);
      if (question !== this.#questions) return;
      yield { names: known, isPartial: true };
    }
    const found = await bestOf(await whole, typed, max);
    if (question === this.#questions) yield { names: found, isPartial: false };
  }

  /** All names, without files that git ignores and files that may hold secrets. Some seconds old. */
  all(): Promise<readonly string[]> {
    return this.#list().whole;
  }

  #list(): Listing {
    const startedMs = this.#parts.now();
    const freshMs = this.#listsVirtual() ? VIRTUAL_FRESH_MS : FRESH_MS;
    if (this.#listing && startedMs - this.#listing.startedMs <= freshMs) return this.#listing;
    const names: string[] = [];
    const listing = { startedMs, names, whole: this.#fill(names) };
    this.#listing = listing;
    listing.whole.then(
      () => (this.#last = names),
      // After an error, the next call tries again.
      () => (this.#listing = undefined),
    );
    return listing;
  }

  async #isDoneSoon(work: Promise<unknown>): Promise<boolean> {
    let timer: Disposable | undefined;
    const later = new Promise<boolean>((resolve) => {
      timer = this.#parts.setTimer(() => resolve(false), PATIENCE_MS);
    });
    try {
      return await Promise.race([work.then(() => true), later]);
    } finally {
      timer?.dispose();
    }
  }

  #listsVirtual(): boolean {
    return this.#parts.virtualFiles !== undefined && this.#parts.roots().some(({ path }) => isVirtualPath(path));
  }

  #walk(folder: string, signal: AbortSignal): AsyncIterable<string> | Iterable<string> {
    const { virtualFiles, roots } = this.#parts;
    if (!isVirtualPath(folder)) return walkFiles(folder, signal);
    return virtualFiles ? walkVirtual(folder, { fileSystem: virtualFiles, roots }, signal) : [];
  }

  async #fill(names: string[]): Promise<readonly string[]> {
    const roots = this.#parts.roots();
    const { signal } = new AbortController();
    for (const root of roots) {
      for await (const file of this.#walk(root.path, signal)) {
        if (names.length >= MAX_NAMES) return names;
        const name = displayPath(file, roots);
        if (!holdsSecrets(name)) names.push(name);
      }
    }
    return names;
  }
}

async function bestOf(names: readonly string[], typed: string, max: number): Promise<readonly string[]> {
  const wanted = typed.toLowerCase();
  const slices = new Slices();
  const ranked: Ranked[] = [];
  for (const name of names) {
    const rank = rankOf(name.toLowerCase(), wanted);
    if (rank < NO_MATCH) ranked.push({ name, rank });
    if (slices.isOver()) await slices.pause();
  }
  return (await sortInSlices(ranked, byRank)).slice(0, max).map(({ name }) => name);
}

interface Ranked {
  readonly name: string;
  readonly rank: number;
}

/** The best first, then the shortest. */
function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1);
}

const NO_MATCH = 3;

function rankOf(name: string, wanted: string): number {
  const file = name.slice(name.lastIndexOf('/') + 1);
  if (file.startsWith(wanted)) return 0;
  if (file.includes(wanted)) return 1;
  return name.includes(wanted) ? 2 : NO_MATCH;
}
