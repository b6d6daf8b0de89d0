import { openPromise } from 'yauzl';
import { SetUpError } from '../download/setUpError';
import type { Unpacking } from './unpacking';

/** Unpacks a `.zip`. */
export async function unpackZip(archive: string, unpacking: Unpacking): Promise<void> {
  const zip = await openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName, externalFileAttributes } = entry;
      const mode = externalFileAttributes >>> 16;
      if ((mode & 0o170000) === 0o120000) throw new SetUpError('archive', 'The archive holds a link.');
      if (fileName.endsWith('/')) await unpacking.addFolder(fileName);
      else await unpacking.addFile(fileName, await zip.openReadStreamPromise(entry), (mode & 0o100) !== 0);
    }
  } finally {
    zip.close();
  }
}
