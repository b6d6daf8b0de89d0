import { constants, lstatSync, statfsSync, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { FileState } from '../../checkpoints/fileChange';
import type { BlobStore, WorkspaceScanner, WorkspaceState } from '../../checkpoints/ports';
import { isInside } from '../../paths/roots';
import type { Root } from '../../ports';
import { listEntries } from '../files/listEntries';
import { isUnchanged, stampOf, type FileStamp } from './fileStamp';
import { KeptFolders, lookAt, SKIPPED, type WalkCalls } from './keptFolders';
import { Slices } from '../../../util/slices/slices';

export interface ScanLimits {
  readonly maxFiles: number;
  /** Bigger files are skipped: sources are small. */
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
}

/** The system calls of a scan. Tests count them. */
export type ScanCalls = WalkCalls & {
  readonly open: (file: string, flags: number) => Promise<Pick<fs.FileHandle, 'readFile' | 'close'> & StatHandle>;
};

interface StatHandle {
  readonly stat: () => Promise<Stats>;
}

export interface WorkspaceScannerParts {
  readonly roots: () => readonly Root[];
  readonly blobs: BlobStore;
  /** The agent's own folder. Its files are skipped, even if it is below a root. */
  readonly ownFolder?: string | undefined;
  readonly limits?: ScanLimits | undefined;
  readonly calls?: ScanCalls | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

const USUAL_LIMITS: ScanLimits = { maxFiles: 10_000, maxFileBytes: 1_000_000, maxTotalBytes: 100_000_000 };
const USUAL_CALLS: ScanCalls = { lstatSync, list: listEntries, statfsSync, open: fs.open };

/** Asking for the time after each file would take a tenth as long as looking at it. */
const FILES_OF_STEP = 8;

/** How many files are read at the same time. */
const READERS = 16;

interface Known {
  readonly stamp: FileStamp;
  readonly state: FileState;
}

/**
 * Looks at the size, times and number of every file, and reads only those whose content may be new. If there is too much
 * to store, it reads nothing.
 */
export function createWorkspaceScanner(parts: WorkspaceScannerParts): WorkspaceScanner {
  const { roots, blobs, ownFolder, limits = USUAL_LIMITS, calls = USUAL_CALLS, now = Date.now } = parts;
  const trees = new Map<string, KeptFolders>();
  let known = new Map<string, Known>();
  /** What is known of the files of a folder, by place: finding each by its path takes as long as looking at it. */
  let knownIn = new WeakMap<readonly string[], readonly (Known | undefined)[]>();
  let last: WorkspaceState = { files: new Map(), isComplete: true };

  return {
    async scan(signal): Promise<WorkspaceState> {
      const slices = new Slices();
      const folders = await listFiles(slices, signal);
      if (!folders) return TOO_MUCH;
      const unknown: string[] = [];
      let unchanged = 0;
      let bytes = 0;
      const kept: (readonly (Known | undefined)[])[] = [];
      for (const files of folders) {
        const same = (knownIn.get(files) ?? files.map((file) => known.get(file))).slice();
        kept.push(same);
        for (let start = 0; start < files.length; start += FILES_OF_STEP) {
          // A function of its own: a loop with an `await` in it runs slower.
          const end = Math.min(start + FILES_OF_STEP, files.length);
          bytes += lookAtFiles(files, same, start, end, unknown);
          if (bytes > limits.maxTotalBytes) return TOO_MUCH;
          if (slices.isOver()) await slices.pause(signal);
        }
        for (const one of same) if (one) unchanged += 1;
      }
      if (unknown.length === 0 && unchanged === known.size) return last;
      const found = new Map<string, Known>();
      for (const [index, files] of folders.entries())
        for (const [place, one] of (kept[index] ?? []).entries()) if (one) found.set(files[place] as string, one);
      await readAll(unknown, found);
      signal.throwIfAborted();
      known = found;
      knownIn = new WeakMap(folders.map((files) => [files, files.map((file) => found.get(file))]));
      last = { files: new Map(Array.from(found, ([file, { state }]) => [file, state])), isComplete: true };
      return last;
    },
  };

  /** Leaves in `same` only the files that are unchanged. Returns the bytes of all files that count. */
  function lookAtFiles(
    files: readonly string[],
    same: (Known | undefined)[],
    start: number,
    end: number,
    unknown: string[],
  ): number {
    let bytes = 0;
    for (let place = start; place < end; place++) {
      const file = files[place] as string;
      const before = same[place];
      const stats = lookAt(calls, file);
      const counts = stats?.isFile() === true && stats.size <= limits.maxFileBytes;
      if (counts) bytes += stats.size;
      if (counts && before && isUnchanged(before.stamp, stats)) continue;
      same[place] = undefined;
      if (counts) unknown.push(file);
    }
    return bytes;
  }

  /** `undefined`: there are too many. */
  async function listFiles(slices: Slices, signal: AbortSignal): Promise<readonly (readonly string[])[] | undefined> {
    const own = ownFolder === undefined ? undefined : await realPathOf(ownFolder);
    const listed: (readonly string[])[] = [];
    let count = 0;
    for (const { path: root } of roots()) {
      const tree = trees.get(root) ?? new KeptFolders({ calls, now });
      trees.set(root, tree);
      const realRoot = await realPathOf(root);
      const mayBeOwn = own !== undefined && (isInside(own, realRoot) || isInside(realRoot, own));
      const isOwn = (folder: string): boolean =>
        mayBeOwn && isInside(path.join(realRoot, path.relative(root, folder)), own);
      for await (const files of tree.walk(root, isOwn, slices, signal)) {
        listed.push(files);
        count += files.length;
        if (count > limits.maxFiles) return undefined;
      }
    }
    return listed;
  }

  async function readAll(files: readonly string[], found: Map<string, Known>): Promise<void> {
    let next = 0;
    const reader = async (): Promise<void> => {
      for (let file = files[next++]; file !== undefined; file = files[next++]) {
        const read = await readFile(file, { blobs, calls, limits, now });
        if (read) found.set(file, read);
      }
    };
    await Promise.all(Array.from({ length: Math.min(READERS, files.length) }, reader));
  }
}

const TOO_MUCH: WorkspaceState = { files: new Map(), isComplete: false };

async function realPathOf(folder: string): Promise<string> {
  try {
    return await fs.realpath(folder);
  } catch (error) {
    if (SKIPPED.has((error as NodeJS.ErrnoException).code ?? '')) return folder;
    throw error;
  }
}

interface ReadingParts {
  readonly blobs: BlobStore;
  readonly calls: ScanCalls;
  readonly limits: ScanLimits;
  readonly now: () => number;
}

/** Stores the content. `undefined`: not a regular file, too big, or not readable. */
async function readFile(file: string, { blobs, calls, limits, now }: ReadingParts): Promise<Known | undefined> {
  const lookedMs = now();
  let handle: Awaited<ReturnType<ScanCalls['open']>>;
  try {
    // Does not follow a link that replaced the file, and does not wait for a pipe.
    handle = await calls.open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (SKIPPED.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > limits.maxFileBytes) return undefined;
    const bytes = await handle.readFile();
    const hash = await blobs.put(bytes);
    const state = { hash, size: bytes.byteLength, isExecutable: (stats.mode & 0o111) !== 0 };
    return { stamp: stampOf(stats, lookedMs), state };
  } finally {
    await handle.close();
  }
}
