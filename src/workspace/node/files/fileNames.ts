import { Slices } from '../../../util/slices';
import { sortInSlices } from '../../../util/sortInSlices';
import { holdsSecrets } from '../../paths/protectedPaths';
import type { Root } from '../../ports';
import { displayPath } from '../../paths/roots';
import { isVirtualPath } from '../../paths/virtualPaths';
import { walkFiles } from './walkFiles';

/** Further names are not listed, because listing them takes seconds. */
const MAX_NAMES = 30_000;
/** An older list is read again. */
const FRESH_MS = 10_000;

export interface FileNamesParts {
  readonly roots: () => readonly Root[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The display paths of the files in the workspace's folders on disk, for suggestions while a person types. */
export class FileNames {
  readonly #parts: FileNamesParts;
  #listed: { readonly atMs: number; readonly names: Promise<readonly string[]> } | undefined;

  constructor(parts: FileNamesParts) {
    this.#parts = parts;
  }

  /**
   * At most `max` matching names, best first: the file name starts with the typed text, or contains it, or the path contains
   * it. Leaves out files that git ignores and files that may hold secrets.
   */
  async find(typed: string, max: number): Promise<readonly string[]> {
    const wanted = typed.toLowerCase();
    const slices = new Slices();
    const ranked: Ranked[] = [];
    for (const name of await this.all()) {
      const rank = rankOf(name.toLowerCase(), wanted);
      if (rank < NO_MATCH) ranked.push({ name, rank });
      if (slices.isOver()) await slices.pause();
    }
    return (await sortInSlices(ranked, byRank)).slice(0, max).map(({ name }) => name);
  }

  /** All names, without files that git ignores and files that may hold secrets. Some seconds old. */
  all(): Promise<readonly string[]> {
    const now = this.#parts.now();
    if (!this.#listed || now - this.#listed.atMs > FRESH_MS) {
      const names = this.#list();
      this.#listed = { atMs: now, names };
      // After an error, the next call tries again.
      names.catch(() => (this.#listed = undefined));
    }
    return this.#listed.names;
  }

  async #list(): Promise<readonly string[]> {
    const roots = this.#parts.roots();
    const { signal } = new AbortController();
    const names: string[] = [];
    for (const root of roots) {
      if (isVirtualPath(root.path)) continue;
      for await (const file of walkFiles(root.path, signal)) {
        if (names.length >= MAX_NAMES) return names;
        const name = displayPath(file, roots);
        if (!holdsSecrets(name)) names.push(name);
      }
    }
    return names;
  }
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
