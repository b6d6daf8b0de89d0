import type * as nodeFiles from 'node:fs/promises';
import path from 'node:path';

/** A file open for appending. Methods reject with the system's error. */
export interface LogFile {
  /** Appends with one write and answers how many bytes were taken; fewer than given means the rest was not written. */
  write(bytes: Uint8Array): Promise<number>;
  /** Returns once everything written is on the disk, or at once where the file system knows no such thing. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The port between a session log and the disk. */
export interface LogStorage {
  /** The whole file; `undefined` when there is none. */
  read(filePath: string): Promise<Uint8Array | undefined>;
  /** What follows the first `offset` bytes; nothing when there is no file or it is shorter. */
  readFrom(filePath: string, offset: number): Promise<Uint8Array>;
  /** Opens for appending, creating the file and its folders, readable by their owner only. */
  openForAppend(filePath: string): Promise<LogFile>;
}

/** The system calls behind a `LogStorage`. */
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
          // A new file's name is in its folder, which has to reach the disk as well. Windows does that by itself.
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

/** Some network and FUSE file systems cannot sync; repeating the write would not help. */
async function unlessUnsupported(sync: Promise<void>): Promise<void> {
  try {
    await sync;
  } catch (error) {
    if (!['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].some((code) => hasCode(error, code))) throw error;
  }
}

/** Whether an error is the system's with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
