import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file open for appending. Methods reject with the system's error. */
export interface LogFile {
  /** Appends with one write and answers how many bytes were taken; fewer than given means the rest was not written. */
  write(bytes: Uint8Array): Promise<number>;
  /** Returns once everything written is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The port between a session log and the disk. */
export interface LogStorage {
  /** The whole file; `undefined` when there is none. */
  read(filePath: string): Promise<Uint8Array | undefined>;
  /** Opens for appending, creating the file and its folders, readable by their owner only. */
  openForAppend(filePath: string): Promise<LogFile>;
}

export const nodeLogStorage: LogStorage = {
  async read(filePath) {
    try {
      return await readFile(filePath);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  },

  async openForAppend(filePath) {
    await mkdir(path.dirname(filePath), { recursive: true, mode: 0o700 });
    const handle = await open(filePath, 'a', 0o600);
    return {
      write: async (bytes) => (await handle.write(bytes)).bytesWritten,
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
};
