import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { StaleFileError } from '../../ports';

/** Writes a file that must not exist. It appears with its whole content or not at all. */
export async function createFile(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = temporaryName(file);
  try {
    await writeDurably(temporary, bytes, 'wx');
    // Unlike a rename, a link fails when something is there already.
    await fs.link(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StaleFileError(`${file} exists by now.`, { cause: error });
    if (code === undefined || !NO_LINKS.has(code)) throw error;
    await createDirectly(file, bytes);
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/**
 * Replaces a file's content, keeping its mode and, where allowed, its owner. `confirm` runs at the last moment and
 * keeps the file as it is by rejecting. `file` is a real path: a link would be replaced itself.
 */
export async function replaceFile(file: string, bytes: Uint8Array, confirm: () => Promise<void>): Promise<void> {
  const { mode, uid, gid } = await fs.stat(file);
  // A rename would get around a file's write protection.
  await fs.access(file, constants.W_OK);
  const temporary = temporaryName(file);
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
  }
}

/** What file systems without hard links answer (FAT, some network mounts). */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A folder that takes no new files, or a file mounted on its own into a container: only writing in place is left. */
const NO_REPLACING: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV']);

async function createDirectly(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeDurably(file, bytes, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new StaleFileError(`${file} exists by now.`, { cause: error });
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
    // Only the superuser may give files away; a file that became ours is the lesser evil.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Hidden and beside the file, so that the rename stays on one file system. */
function temporaryName(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file).slice(0, 100)}.${randomUUID().slice(0, 8)}.tmp`);
}
