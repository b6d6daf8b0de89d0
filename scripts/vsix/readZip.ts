const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const DESCRIPTOR = 0x08074b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const DESCRIPTOR_BYTES = 16;
const END_BYTES = 22;

const ENCRYPTED = 1;
const HAS_DESCRIPTOR = 1 << 3;
/** The level of Deflate, the descriptor, and names in UTF-8. */
const KNOWN_FLAGS = 0b110 | HAS_DESCRIPTOR | (1 << 11);
const STORED = 0;
const DEFLATED = 8;

/** A file of a zip archive. */
export interface ZipEntry {
  /** The entry in the central directory, without its name. Says that no descriptor follows the data. */
  readonly head: Buffer;
  readonly name: Buffer;
  /** As it is packed. */
  readonly data: Buffer;
}

/**
 * The files of a plain zip archive, in the order of its directory. Throws for everything that somebody who writes the archive
 * again from these would lose: ZIP64, several disks, encryption, comments, extra fields, and bytes that belong to no file.
 */
export function readZip(zip: Buffer): readonly ZipEntry[] {
  const end = findEnd(zip);
  const count = zip.readUInt16LE(end + 10);
  const start = zip.readUInt32LE(end + 16);
  if (count === 0xffff || start === 0xffffffff) throw unusable('is in the ZIP64 format');
  if (zip.readUInt16LE(end + 4) !== 0 || zip.readUInt16LE(end + 6) !== 0 || zip.readUInt16LE(end + 8) !== count)
    throw unusable('is a part of an archive on several disks');
  const entries: ZipEntry[] = [];
  const used: [from: number, to: number][] = [];
  let at = start;
  for (let left = count; left > 0; left -= 1) {
    if (at + CENTRAL_BYTES > end || zip.readUInt32LE(at) !== CENTRAL) throw unusable('has no whole directory');
    const head = Buffer.from(zip.subarray(at, at + CENTRAL_BYTES));
    const nameEnd = at + CENTRAL_BYTES + head.readUInt16LE(28);
    const name = zip.subarray(at + CENTRAL_BYTES, nameEnd);
    checkHead(head, name);
    at = nameEnd;
    const { data, from, to } = readData(zip, head, name);
    used.push([from, to]);
    head.writeUInt16LE(head.readUInt16LE(8) & ~HAS_DESCRIPTOR, 8);
    entries.push({ head, name, data });
  }
  if (at !== end) throw unusable('has data between its directory and its end');
  checkNothingBetween(used, start);
  return entries;
}

function findEnd(zip: Buffer): number {
  const end = zip.length - END_BYTES;
  if (end >= 0 && zip.readUInt32LE(end) === END) {
    if (zip.readUInt16LE(end + 20) === 0) return end;
  } else {
    const before = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    if (before < 0 || before + END_BYTES > zip.length) throw new Error('This is no plain zip archive.');
  }
  throw unusable('has a comment, or data behind its end');
}

function checkHead(head: Buffer, name: Buffer): void {
  const file = `the file ${name.toString()}`;
  const flags = head.readUInt16LE(8);
  const method = head.readUInt16LE(10);
  const sizes = [head.readUInt32LE(20), head.readUInt32LE(24), head.readUInt32LE(42)];
  if ((flags & ENCRYPTED) !== 0) throw unusable(`has ${file} encrypted`);
  if ((flags & ~KNOWN_FLAGS) !== 0) throw unusable(`has ${file} with unknown flags (0x${flags.toString(16)})`);
  if (method !== STORED && method !== DEFLATED) throw unusable(`has ${file} packed in an unknown way (${method})`);
  if (sizes.includes(0xffffffff)) throw unusable(`has ${file} in the ZIP64 format`);
  if (head.readUInt16LE(30) > 0) throw unusable(`has ${file} with extra fields`);
  if (head.readUInt16LE(32) > 0) throw unusable(`has ${file} with a comment`);
  if (head.readUInt16LE(34) > 0) throw unusable('is a part of an archive on several disks');
}

/** The data of a file, and the bytes that it takes with what is around it. */
function readData(
  zip: Buffer,
  head: Buffer,
  name: Buffer,
): { readonly data: Buffer; readonly from: number; readonly to: number } {
  const from = head.readUInt32LE(42);
  const dataStart = from + LOCAL_BYTES + name.length;
  const dataEnd = dataStart + head.readUInt32LE(20);
  const broken = (): Error => unusable(`has the file ${name.toString()} broken`);
  if (dataEnd > zip.length || zip.readUInt32LE(from) !== LOCAL) throw broken();
  if (zip.readUInt16LE(from + 26) !== name.length || !zip.subarray(from + LOCAL_BYTES, dataStart).equals(name))
    throw broken();
  if (zip.readUInt16LE(from + 28) > 0) throw unusable(`has the file ${name.toString()} with extra fields`);
  const data = zip.subarray(dataStart, dataEnd);
  if ((head.readUInt16LE(8) & HAS_DESCRIPTOR) === 0) return { data, from, to: dataEnd };
  if (dataEnd + DESCRIPTOR_BYTES > zip.length || zip.readUInt32LE(dataEnd) !== DESCRIPTOR) throw broken();
  return { data, from, to: dataEnd + DESCRIPTOR_BYTES };
}

function checkNothingBetween(used: readonly (readonly [from: number, to: number])[], end: number): void {
  let at = 0;
  for (const [from, to] of used.toSorted(([one], [other]) => one - other)) {
    if (from !== at) throw unusable('has data that belongs to no file');
    at = to;
  }
  if (at !== end) throw unusable('has data that belongs to no file');
}

function unusable(why: string): Error {
  return new Error(`This zip archive cannot be packed again: it ${why}.`);
}
