import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';

/**
 * Opens a file, and closes it when `use` has ended. Does not wait for a pipe, which could block for ever. Rejects if the
 * opened file is not a regular file.
 */
export async function withRegularFile<T>(file: string, use: (handle: fs.FileHandle) => Promise<T>): Promise<T> {
  // On Windows O_NONBLOCK is undefined, although the types say otherwise.
  const handle = await fs.open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${file} is not a regular file.`);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** The text of an ignore file; `undefined` if it is missing, too big or cannot be read. */
export async function readIgnoreFile(file: string): Promise<string | undefined> {
  try {
    // As in git: a link could lead to any file.
    if ((await fs.lstat(file)).isSymbolicLink()) return undefined;
    return await withRegularFile(file, async (handle) => {
      const isTooBig = (await handle.stat()).size > MAX_IGNORE_BYTES;
      return isTooBig ? undefined : handle.readFile('utf8');
    });
  } catch {
    // Without readable rules nothing is ignored.
    return undefined;
  }
}

const MAX_IGNORE_BYTES = 1_000_000;
