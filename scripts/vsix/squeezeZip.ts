import { deflateAsync } from '@gfx/zopfli';
import { crc32, inflateRawSync } from 'node:zlib';
import { readZip, type ZipEntry } from './readZip';

const LOCAL_BYTES = 30;
const END_BYTES = 22;
const DEFLATED = 8;

/**
 * Packs each deflated file of a zip archive again, as small as Deflate can. What a reader unpacks stays the same, but for the
 * blanks of JSON that no value has. Takes the archives that vsce writes. Rejects with the reason for any other archive: see
 * `readZip`.
 */
export async function squeezeZip(zip: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of readZip(zip)) {
    const { head, name, data } = await squeezed(entry);
    head.writeUInt32LE(offset, 42);
    directory.push(head, name);
    // The fields from "version needed" to the length of the name are the same in both heads.
    const local = Buffer.alloc(LOCAL_BYTES);
    local.write('PK\x03\x04', 'latin1');
    head.copy(local, 4, 6, 30);
    parts.push(local, name, data);
    offset += local.length + name.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(END_BYTES);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

async function squeezed({ head, name, data }: ZipEntry): Promise<ZipEntry> {
  if (head.readUInt16LE(10) !== DEFLATED) return { head, name, data };
  const content = inflateRawSync(data);
  const wanted = name.toString().endsWith('.json') ? compactJson(content, name) : content;
  const smaller = Buffer.from(await deflateAsync(wanted, { numiterations: 15 }));
  if (smaller.length >= data.length) return { head, name, data };
  head.writeUInt32LE(crc32(wanted), 16);
  head.writeUInt32LE(smaller.length, 20);
  head.writeUInt32LE(wanted.length, 24);
  return { head, name, data: smaller };
}

/** Throws for a text that is no JSON. */
function compactJson(text: Buffer, name: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(text.toString('utf8'))));
  } catch (error) {
    throw new Error(`The file ${name.toString()} in the archive is not JSON.`, { cause: error });
  }
}
