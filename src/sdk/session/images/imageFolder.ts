import { constants, lstat, mkdir, open, readdir, rename, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { MAX_IMAGE_BYTES } from '../../../util/images/imageHeader';
import { hasCode } from '../createLogStorage';
import type { ImageFiles } from './imageStore';
import { hashOf } from './imageStore';

const HASH = /^[0-9a-f]{64}$/;
/** A file that is being written. */
const DRAFT = /^[0-9a-f]{64}\.[0-9a-f-]+\.tmp$/;
// Windows has neither flag, although the types say otherwise.
const NO_LINKS = constants.O_NOFOLLOW ?? 0;
const NO_WAITING = constants.O_NONBLOCK ?? 0;

/** The folder of the images of a session's file. All sessions of one folder share it. */
export function imageFolderOf(sessionPath: string): string {
  return path.join(path.dirname(sessionPath), 'images');
}

/** Images in a folder, in files named by their SHA-256. Neither the folder nor a file may be a link. */
export function createImageFolder(folder: string): ImageFiles {
  async function assertFolder(): Promise<void> {
    if (!(await lstat(folder)).isDirectory())
      throw new Error(`${folder} is no folder. Images are not kept behind links.`);
  }

  async function read(hash: string): Promise<Uint8Array | undefined> {
    if (!HASH.test(hash)) return undefined;
    const file = path.join(folder, hash);
    try {
      await assertFolder();
      if (!(await lstat(file)).isFile()) return undefined;
      const handle = await open(file, constants.O_RDONLY | NO_LINKS | NO_WAITING);
      try {
        const stats = await handle.stat();
        if (!stats.isFile() || stats.size > MAX_IMAGE_BYTES) return undefined;
        const bytes = await handle.readFile();
        return hashOf(bytes) === hash ? bytes : undefined;
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP')) return undefined;
      throw error;
    }
  }

  return {
    read,
    async write(hash, bytes) {
      if (!HASH.test(hash)) throw new Error('An image is named by its SHA-256.');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await assertFolder();
      const file = path.join(folder, hash);
      const now = new Date();
      if (await read(hash)) return utimes(file, now, now);
      const draft = `${file}.${crypto.randomUUID()}.tmp`;
      try {
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        // Replaces a damaged file, or a link, by the file itself.
        await rename(draft, file);
      } catch (error) {
        await unlink(draft).catch(() => {});
        throw error;
      }
    },
  };
}

/** Removes images that no session names and that were saved before `olderThanMs`. Leaves everything else in the folder. */
export async function removeOrphanedImages(
  folder: string,
  options: {
    readonly used: ReadonlySet<string>;
    readonly olderThanMs: number;
  },
): Promise<void> {
  const { used, olderThanMs } = options;
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return;
  for (const name of await readdir(folder)) {
    if (!(HASH.test(name) && !used.has(name)) && !DRAFT.test(name)) continue;
    const file = path.join(folder, name);
    const { mtimeMs } = (await lstat(file).catch(() => undefined)) ?? { mtimeMs: Infinity };
    if (mtimeMs < olderThanMs) await unlink(file).catch(() => {});
  }
}
