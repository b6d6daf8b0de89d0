import { constants, type BigIntStats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { FileState } from '../../checkpoints/fileChange';
import type { BlobStore, WorkspaceScanner, WorkspaceState } from '../../checkpoints/ports';
import { isInside } from '../../paths/roots';
import type { Root } from '../../ports';
import { walkFiles } from '../files/walkFiles';

export interface ScanLimits {
  readonly maxFiles: number;
  /** Bigger files are not looked at: sources are small. */
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
}

export interface WorkspaceScannerParts {
  readonly roots: () => readonly Root[];
  readonly blobs: BlobStore;
  /** Where the agent keeps what is its own: whatever lies there is no file of the workspace, even if it is below a root. */
  readonly ownFolder?: string | undefined;
  readonly limits?: ScanLimits | undefined;
}

const USUAL_LIMITS: ScanLimits = { maxFiles: 10_000, maxFileBytes: 1_000_000, maxTotalBytes: 100_000_000 };

/** How many files are looked at at the same time. */
const WORKERS = 16;

interface Known {
  /** What changes whenever the content does. */
  readonly stamp: string;
  readonly state: FileState;
}

/** Looks at every file once, and again only at those that changed since. */
export function createWorkspaceScanner({
  roots,
  blobs,
  ownFolder,
  limits = USUAL_LIMITS,
}: WorkspaceScannerParts): WorkspaceScanner {
  let known = new Map<string, Known>();

  return {
    async scan(signal): Promise<WorkspaceState> {
      const found = new Map<string, Known>();
      const budget = { files: 0, bytes: 0 };
      const paths = eachFile(roots(), ownFolder, signal);
      let isComplete = true;
      const work = async (): Promise<void> => {
        for (;;) {
          const next = await paths.next();
          if (next.done || !isComplete) return;
          const seen = await look(next.value, known.get(next.value), limits, blobs);
          if (!seen) continue;
          budget.files += 1;
          budget.bytes += seen.state?.size ?? 0;
          if (budget.files > limits.maxFiles || budget.bytes > limits.maxTotalBytes) isComplete = false;
          found.set(next.value, seen);
        }
      };
      await Promise.all(Array.from({ length: WORKERS }, work));
      signal.throwIfAborted();
      if (isComplete) known = found;
      return { files: new Map([...found].map(([file, { state }]) => [file, state])), isComplete };
    },
  };
}

async function* eachFile(
  roots: readonly Root[],
  ownFolder: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const own = ownFolder === undefined ? undefined : await realPathOf(ownFolder);
  for (const root of roots) {
    const realRoot = await realPathOf(root.path);
    for await (const file of walkFiles(root.path, signal)) {
      // Below a root no links are followed.
      const realFile = path.join(realRoot, path.relative(root.path, file));
      if (own === undefined || !isInside(realFile, own)) yield file;
    }
  }
}

async function realPathOf(folder: string): Promise<string> {
  try {
    return await fs.realpath(folder);
  } catch (error) {
    if (PASSED_OVER.has((error as NodeJS.ErrnoException).code ?? '')) return folder;
    throw error;
  }
}

/** `undefined`: not a file to keep. */
async function look(
  file: string,
  known: Known | undefined,
  { maxFileBytes }: ScanLimits,
  blobs: BlobStore,
): Promise<Known | undefined> {
  let handle: fs.FileHandle;
  try {
    // Not through a link that took the file's place meanwhile, and not waiting for a pipe.
    handle = await fs.open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (PASSED_OVER.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || stats.size > BigInt(maxFileBytes)) return undefined;
    const stamp = stampOf(stats);
    if (known?.stamp === stamp) return known;
    const bytes = await handle.readFile();
    const hash = await blobs.put(bytes);
    return { stamp, state: { hash, size: bytes.byteLength, isExecutable: (stats.mode & 0o111n) !== 0n } };
  } finally {
    await handle.close();
  }
}

/** Gone, a link or not ours to read: nothing to bring back later. */
const PASSED_OVER: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);

function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino, mode].join(' ');
}
