import { constants } from 'node:fs/promises';
import type * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import type { LogStorage } from './logStorage';

/** The system calls that a `LogStorage` uses. */
export type LogCalls = Pick<typeof nodeFiles, 'lstat' | 'mkdir' | 'open'>;

const PIECE_BYTES = 256 * 1024;
// Windows has neither flag, although the types say otherwise.
const NO_LINKS = constants.O_NOFOLLOW ?? 0;
/** Otherwise a pipe would wait for its other end. */
const NO_WAITING = constants.O_NONBLOCK ?? 0;

export function createLogStorage({ lstat, mkdir, open }: LogCalls): LogStorage {
  async function* pieces(filePath: string, offset: number): AsyncGenerator<Uint8Array> {
    const handle = await openRegular(filePath, constants.O_RDONLY);
    if (!handle) return;
    let next: Promise<Uint8Array> | undefined;
    try {
      const { size } = await handle.stat();
      const readAt = async (position: number): Promise<Uint8Array> => {
        const piece = Buffer.allocUnsafe(Math.max(0, Math.min(PIECE_BYTES, size - position)));
        const { bytesRead } = await handle.read(piece, 0, piece.length, position);
        return piece.subarray(0, bytesRead);
      };
      next = readAt(offset);
      for (let position = offset; ;) {
        const piece = await next;
        if (piece.length === 0) return;
        position += piece.length;
        // Reads on while the caller works with the piece. The caller hears of a failure when it asks for the next one.
        next = readAt(position);
        void Promise.allSettled([next]);
        yield piece;
      }
    } finally {
      await Promise.allSettled([next]);
      await handle.close();
    }
  }

  /** `undefined`: there is no file. */
  async function openRegular(filePath: string, flags: number): Promise<nodeFiles.FileHandle | undefined> {
    if (!NO_LINKS && (await unlessMissing(lstat(filePath)))?.isSymbolicLink()) throw isLink(filePath);
    try {
      const handle = await open(filePath, flags | NO_LINKS | NO_WAITING, 0o600);
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw hasCode(error, 'ELOOP') ? isLink(filePath) : error;
    }
    throw new Error(`${filePath} is not a regular file.`);
  }

  return {
    read: (filePath) => pieces(filePath, 0),

    async readFrom(filePath, offset) {
      const found: Uint8Array[] = [];
      for await (const piece of pieces(filePath, offset)) found.push(piece);
      return Buffer.concat(found);
    },

    async openForAppend(filePath) {
      const directory = path.dirname(filePath);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const handle = await openRegular(filePath, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
      if (!handle) throw new Error(`${filePath} cannot be created.`);
      let isNameOnDisk = false;
      return {
        write: async (bytes) => (await handle.write(bytes)).bytesWritten,
        async sync() {
          await unlessUnsupported(handle.sync());
          // The name of a new file is in its folder, so the folder must be synced too. Windows does that itself.
          if (!isNameOnDisk && process.platform !== 'win32') await syncFolder(directory, open);
          isNameOnDisk = true;
        },
        async isCurrent() {
          const [ours, there] = await Promise.all([
            handle.stat({ bigint: true }),
            unlessMissing(lstat(filePath, { bigint: true })),
          ]);
          return there !== undefined && ours.nlink > 0n && ours.dev === there.dev && ours.ino === there.ino;
        },
        size: async () => (await handle.stat()).size,
        close: () => handle.close(),
      };
    },
  };
}

function isLink(filePath: string): Error {
  return new Error(
    `${filePath} is a link. A session must be a regular file. Remove the link, and the session is written again.`,
  );
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function syncFolder(directory: string, open: LogCalls['open']): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await unlessUnsupported(handle.sync());
  } finally {
    await handle.close();
  }
}

/** Some network and FUSE file systems cannot sync. Writing again would not help. */
async function unlessUnsupported(sync: Promise<void>): Promise<void> {
  try {
    await sync;
  } catch (error) {
    if (!['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].some((code) => hasCode(error, code))) throw error;
  }
}

/** Whether an error is a system error with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
