import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { SetUpError } from '../download/setUpError';
import { tarEntries } from './tarEntries';
import type { Unpacking } from './unpacking';

/** Unpacks a `.tar.gz`. */
export async function unpackTar(archive: string, unpacking: Unpacking): Promise<void> {
  const bytes = createGunzip();
  // An error of the reading reaches the unpacking too, which ends when nothing is being written any more.
  const reading = pipeline(createReadStream(archive), bytes).catch(() => undefined);
  try {
    await unpackEntries(bytes, unpacking);
  } finally {
    bytes.destroy();
    await reading;
  }
}

async function unpackEntries(bytes: AsyncIterable<Buffer>, unpacking: Unpacking): Promise<void> {
  for await (const { name, type, mode, target, content } of tarEntries(bytes)) {
    if (type === 'file') await unpacking.addFile(name, Readable.from(content), (mode & 0o100) !== 0);
    else if (type === 'directory') await unpacking.addFolder(name);
    else if (type === 'symlink') unpacking.addLink(name, target);
    else {
      const said = `The archive holds a ${type} where a file is expected: ${name.slice(0, 200)}`;
      throw new SetUpError('archive', said);
    }
  }
}
