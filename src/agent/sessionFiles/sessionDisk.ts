import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import { hasCode, type LogCalls } from '../../sdk/session/createLogStorage';
import { draftName } from '../../workspace/node/files/drafts';
import type { LockCalls } from '../../workspace/node/files/fileLock';

/** The system calls for session files: Node's, or in tests the same with faults. */
export type DiskCalls = LogCalls & LockCalls & Pick<typeof nodeFiles, 'readdir'>;

export const nodeDisk: DiskCalls = nodeFiles;

const EXTENSION = '.jsonl';
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** The path of a session's file. Throws for an id that is no plain file name: ids also come from the webview. */
export function sessionPath(directory: string, id: string): string {
  if (!ID.test(id)) throw new Error(`"${id}" is not the id of a session.`);
  return path.join(directory, `${id}${EXTENSION}`);
}

/** The lock of the session at this path. */
export function lockPath(filePath: string): string {
  return `${filePath.slice(0, -EXTENSION.length)}.lock`;
}

/** The id of the session in a file of this name; `undefined`: the file holds no session. */
export function sessionIdOf(fileName: string): string | undefined {
  const id = fileName.endsWith(EXTENSION) ? fileName.slice(0, -EXTENSION.length) : '';
  return ID.test(id) ? id : undefined;
}

export async function namesIn(directory: string, { readdir }: Pick<DiskCalls, 'readdir'>): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? [];
}

/** The result of a system call; `undefined`: the file does not exist. */
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
  /** A new name, valid in a file name. */
  readonly token: string;
  /** Fails with `EEXIST` if the file exists. */
  readonly isNew?: boolean | undefined;
}

/** Writes a file atomically: after a crash it is either unchanged or complete and on the disk. */
export async function writeWhole(
  filePath: string,
  contents: string | Uint8Array,
  options: WriteWholeOptions,
): Promise<void> {
  const { disk, token, isNew = false } = options;
  const draft = await draftName(filePath, token);
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
    // The first error says why. A draft that stays is removed when its process has ended.
    await disk.unlink(draft).catch(() => undefined);
    throw error;
  }
}
