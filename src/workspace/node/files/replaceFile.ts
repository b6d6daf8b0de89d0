import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { StaleFileError } from '../../ports';
import type { DraftRecords } from './draftRecords';
import { draftName } from './drafts';

/** Creates a file with its whole content, or not at all. Rejects with `StaleFileError` if it exists. */
export async function createFile(file: string, bytes: Uint8Array, drafts: DraftRecords): Promise<void> {
  const temporary = await temporaryName(file);
  const end = await drafts.begin(temporary);
  try {
    await writeDurably(temporary, bytes, 'wx');
    // Unlike a rename, a link fails if the file exists.
    await fs.link(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StaleFileError(`${file} exists now.`, { cause: error });
    if (code === undefined || !NO_LINKS.has(code)) throw error;
    await createDirectly(file, bytes);
  } finally {
    await fs.rm(temporary, { force: true });
    await end();
  }
}

/**
 * Replaces the content of a file. Keeps its mode and, if allowed, its owner. `confirm` runs at the last moment; if it
 * rejects, the file stays unchanged. `file` must be a real path, because a link would be replaced itself.
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array,
  confirm: () => Promise<void>,
  drafts: DraftRecords,
): Promise<void> {
  const { mode, uid, gid } = await fs.stat(file);
  // A rename would ignore the file's write protection.
  await fs.access(file, constants.W_OK);
  const temporary = await temporaryName(file);
  const end = await drafts.begin(temporary);
  try {
    await writeDurably(temporary, bytes, 'wx');
    await fs.chmod(temporary, mode);
    await keepOwner(temporary, uid, gid);
    await confirm();
    await fs.rename(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !NO_REPLACING.has(code)) throw error;
    await confirm();
    await writeDurably(file, bytes, 'r+');
  } finally {
    await fs.rm(temporary, { force: true });
    await end();
  }
}

/** Errors of file systems without hard links (FAT, some network mounts). */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The folder accepts no new files, or the file is mounted into a container. Then the file is written in place. */
const NO_REPLACING: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV']);

async function createDirectly(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeDurably(file, bytes, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new StaleFileError(`${file} exists now.`, { cause: error });
  }
}

async function writeDurably(file: string, bytes: Uint8Array, flags: 'wx' | 'r+'): Promise<void> {
  const handle = await fs.open(file, flags);
  try {
    await handle.writeFile(bytes);
    await handle.truncate(bytes.byteLength);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwner(file: string, uid: number, gid: number): Promise<void> {
  const stats = await fs.stat(file);
  if (stats.uid === uid && stats.gid === gid) return;
  try {
    await fs.chown(file, uid, gid);
  } catch (error) {
    // Only the superuser may change owners. Then the file belongs to this user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** A hidden name in the same folder, so that the rename stays on one file system. */
function temporaryName(file: string): Promise<string> {
  return draftName(path.join(path.dirname(file), `.${path.basename(file).slice(0, 100)}`));
}
