import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { parseJson } from '../../util/json';
import { keeperFileName, keeperFileSchema, type KeeperFile } from './keeperMessages';

/** Reads how to reach the keeper of a folder. `undefined`: there is none. */
export async function readKeeperFile(folder: string): Promise<KeeperFile | undefined> {
  const text = await readFile(path.join(folder, keeperFileName), 'utf8').catch(() => '');
  return keeperFileSchema.safeParse(parseJson(text)).data;
}

/** Makes this process the keeper of a folder. Resolves with false when another one is. */
export async function announceKeeper(folder: string, own: KeeperFile): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, keeperFileName);
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        // Fails when the file exists, and never shows half a file.
        await link(draft, file);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = await readKeeperFile(folder);
      if (other && (await isListening(other.port))) return false;
      await removeStale(file, other?.token);
    }
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether the file still names the keeper with this token. */
export async function isStillAnnounced(folder: string, token: string): Promise<boolean> {
  return (await readKeeperFile(folder))?.token === token;
}

export async function withdrawKeeper(folder: string, token: string): Promise<void> {
  if (await isStillAnnounced(folder, token)) await rm(path.join(folder, keeperFileName), { force: true });
}

/** Moves the file away first: if a new keeper has replaced it meanwhile, it is put back. */
async function removeStale(file: string, token: string | undefined): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    // Somebody else has removed it.
    return;
  }
  const moved = keeperFileSchema.safeParse(parseJson(await readFile(aside, 'utf8').catch(() => ''))).data;
  if (moved && moved.token !== token) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
