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
  /** Bigger files are skipped: sources are small. */
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
}

export interface WorkspaceScannerParts {
  readonly roots: () => readonly Root[];
  readonly blobs: BlobStore;
  /** The agent's own folder. Its files are skipped, even if it is below a root. */
  readonly ownFolder?: string | undefined;
  readonly limits?: ScanLimits | undefined;
}

const USUAL_LIMITS: ScanLimits = { maxFiles: 10_000, maxFileBytes: 1_000_000, maxTotalBytes: 100_000_000 };

/** How many files are read at the same time. */
const WORKERS = 16;

interface Known {
  /** Changes whenever the content changes. */
  readonly stamp: string;
  readonly state: FileState;
}

/** Reads each file once, and again only if it changed. */
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
      const realFile = path.join(realRoot, path.relative(root.path, file));
      if (own === undefined || !isInside(realFile, own)) yield file;
    }
  }
}

async function realPathOf(folder: string): Promise<string> {
  try {
    return await fs.realpath(folder);
  } catch (error) {
    if (SKIPPED.has((error as NodeJS.ErrnoException).code ?? '')) return folder;
    throw error;
  }
}

/** `undefined`: not a regular file, too big, or not readable. */
async function look(
  file: string,
  known: Known | undefined,
  { maxFileBytes }: ScanLimits,
  blobs: BlobStore,
): Promise<Known | undefined> {
  let handle: fs.FileHandle;
  try {
    // Does not follow a link that replaced the file, and does not wait for a pipe.
    handle = await fs.open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (SKIPPED.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
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

/** The file is gone, is a link, or must not be read. */
const SKIPPED: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);

function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino, mode].join(' ');
}
