import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import { hasCode, type LogCalls } from '../../sdk/session/logStorage';
import type { LockCalls } from './fileLock';

/** The system calls that sessions are kept with: Node's, or in tests the same with a fault. */
export type DiskCalls = LogCalls & LockCalls & Pick<typeof nodeFiles, 'readdir'>;

export const nodeDisk: DiskCalls = nodeFiles;

const EXTENSION = '.jsonl';
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Where a session is kept. Throws for an id that is not a plain file name: ids also come from the webview. */
export function sessionPath(directory: string, id: string): string {
  if (!ID.test(id)) throw new Error(`"${id}" is not the id of a session.`);
  return path.join(directory, `${id}${EXTENSION}`);
}

/** The lock of the session at this path. */
export function lockPath(filePath: string): string {
  return `${filePath.slice(0, -EXTENSION.length)}.lock`;
}

/** The session a file name belongs to; `undefined` for files that hold none. */
export function sessionIdOf(fileName: string): string | undefined {
  const id = fileName.endsWith(EXTENSION) ? fileName.slice(0, -EXTENSION.length) : '';
  return ID.test(id) ? id : undefined;
}

export async function namesIn(directory: string, { readdir }: Pick<DiskCalls, 'readdir'>): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? [];
}

/** What a system call gives, or `undefined` when the file is not there. */
export async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export interface WriteWholeOptions {
  readonly disk: DiskCalls;
  /** A name that was never given before, and is good for a file. */
  readonly token: string;
  /** Fails with `EEXIST` rather than take the place of a file. */
  readonly isNew?: boolean | undefined;
}

/** Writes a file so that at any moment, whatever dies, it is there as it was before or whole and on the disk. */
export async function writeWhole(
  filePath: string,
  contents: string | Uint8Array,
  options: WriteWholeOptions,
): Promise<void> {
  const { disk, token, isNew = false } = options;
  const draft = `${filePath}.${token}.tmp`;
  await disk.mkdir(path.dirname(filePath), { recursive: true, mode: 0o700 });
  try {
    const handle = await disk.open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(contents);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isNew && (await unlessMissing(disk.stat(filePath)))) {
      throw Object.assign(new Error(`${filePath} exists already.`), { code: 'EEXIST' });
    }
    await disk.rename(draft, filePath);
  } catch (error) {
    await unlessMissing(disk.unlink(draft));
    throw error;
  }
}
