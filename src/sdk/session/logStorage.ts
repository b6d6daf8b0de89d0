import type * as nodeFiles from 'node:fs/promises';
import path from 'node:path';

/** A file open for appending. Methods reject with the system's error. */
export interface LogFile {
  /** Appends with one write. Resolves to the number of bytes written, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Resolves once everything written is on disk, or at once where the file system cannot sync. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The port from a session log to the disk. */
export interface LogStorage {
  /** Reads the whole file; `undefined` when there is none. */
  read(filePath: string): Promise<Uint8Array | undefined>;
  /** Reads the bytes after the first `offset`. Empty when the file is shorter or missing. */
  readFrom(filePath: string, offset: number): Promise<Uint8Array>;
  /** Opens for appending. Creates the file and its folders, readable by their owner only. */
  openForAppend(filePath: string): Promise<LogFile>;
}

/** The system calls that a `LogStorage` uses. */
export type LogCalls = Pick<typeof nodeFiles, 'mkdir' | 'open' | 'readFile'>;

export function createLogStorage({ mkdir, open, readFile }: LogCalls): LogStorage {
  return {
    async read(filePath) {
      try {
        return await readFile(filePath);
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },

    async readFrom(filePath, offset) {
      return ((await this.read(filePath)) ?? new Uint8Array()).subarray(offset);
    },

    async openForAppend(filePath) {
      const directory = path.dirname(filePath);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const handle = await open(filePath, 'a', 0o600);
      let isNameOnDisk = false;
      return {
        write: async (bytes) => (await handle.write(bytes)).bytesWritten,
        async sync() {
          await unlessUnsupported(handle.sync());
          // The name of a new file is in its folder, so the folder must be synced too. Windows does that itself.
          if (!isNameOnDisk && process.platform !== 'win32') await syncFolder(directory, open);
          isNameOnDisk = true;
        },
        close: () => handle.close(),
      };
    },
  };
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
