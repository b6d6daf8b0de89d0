import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../util/errors';
import { SetUpError } from '../download/setUpError';
import { Unpacking } from './unpacking';
import { unpackTar } from './unpackTar';
import { unpackZip } from './unpackZip';

/**
 * Unpacks a `.tar.gz` or `.zip` into `folder`, which must not exist. Files and folders only; a link may only lead to a file
 * beside it. `folder` appears when everything is there. Rejects with a `SetUpError`, and leaves nothing.
 */
export async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    const unpacking = new Unpacking(draft);
    await (archive.endsWith('.zip') ? unpackZip(archive, unpacking) : unpackTar(archive, unpacking));
    await unpacking.finish();
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (error instanceof SetUpError) throw error;
    throw new SetUpError('archive', `The archive cannot be unpacked: ${messageOf(error)}`, { cause: error });
  }
}
