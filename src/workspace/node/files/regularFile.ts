import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';

/**
 * Opens without waiting (a pipe without a writer would block for good), looks at what was really opened, and closes it
 * when `use` has ended. Rejects when it is no regular file.
 */
export async function withRegularFile<T>(file: string, use: (handle: fs.FileHandle) => Promise<T>): Promise<T> {
  // Windows has no O_NONBLOCK: it is undefined there, whatever the types say.
  const handle = await fs.open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${file} is not a regular file.`);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** The rules of an ignore file; `undefined` when there is none, or none that can be read. */
export async function readIgnoreFile(file: string): Promise<string | undefined> {
  try {
    return await withRegularFile(file, async (handle) => {
      const isTooBig = (await handle.stat()).size > MAX_IGNORE_BYTES;
      return isTooBig ? undefined : handle.readFile('utf8');
    });
  } catch {
    // A folder without rules, or whose rules cannot be read, ignores nothing.
    return undefined;
  }
}

const MAX_IGNORE_BYTES = 1_000_000;
