import assert from 'node:assert/strict';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import * as yauzl from 'yauzl';
import { squeezeZip } from '../../../../scripts/vsix/squeezeZip';
import { zipOf } from '../../../support/files/zipOf';

const files = {
  'a.txt': 'The quick brown fox. '.repeat(400) + 'The lazy dog. '.repeat(300),
  'folder/b.json': JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index, name: `item ${index}` }))),
  'empty.txt': '',
};

/** From the end of an archive of one file `a.txt`. */
const END = -22;
const CENTRAL = END - 46 - 'a.txt'.length;
const COMMENT = 'has a comment, or data behind its end';

describe('squeezeZip', () => {
  for (const isDeflated of [true, false]) {
    it(`keeps the files of an archive ${isDeflated ? 'and makes it smaller' : 'without compression as they are'}`, async () => {
      const zip = zipOf(files, { isDeflated });
      const squeezed = await squeezeZip(zip);
      assert.deepEqual(await filesOf(squeezed), files);
      assert.equal(squeezed.length < zip.length, isDeflated);
    });
  }

  it('leaves out the blanks of JSON that no value has', async () => {
    const value = { 'a b': [1, 'c  d', { e: '\u00e4 \n' }], f: null };
    const spaced = { 'a.json': JSON.stringify(value, null, 8), 'a.txt': JSON.stringify(value, null, 8) };
    const squeezed = await squeezeZip(zipOf(spaced, { isDeflated: true }));
    assert.deepEqual(await filesOf(squeezed), { ...spaced, 'a.json': JSON.stringify(value) });
    const broken = zipOf({ 'b.json': '{ "a": } '.repeat(50) }, { isDeflated: true });
    await assert.rejects(squeezeZip(broken), /The file b\.json in the archive is not JSON/);
  });

  it('refuses what is no zip archive', async () => {
    await assert.rejects(squeezeZip(Buffer.from('no')), /This is no plain zip archive/);
    await assert.rejects(squeezeZip(Buffer.alloc(100)), /This is no plain zip archive/);
  });

  it('takes an archive with descriptors behind the files', async () => {
    const zip = withDescriptor(zipOf({ 'a.txt': files['a.txt'] }, { isDeflated: true }));
    assert.deepEqual(await filesOf(await squeezeZip(zip)), { 'a.txt': files['a.txt'] });
  });

  const refused: Readonly<Record<string, readonly [change: (zip: Buffer) => Buffer, why: string]>> = {
    'with a comment': [(zip) => Buffer.concat([changed(zip, END + 20, [2, 0]), Buffer.from('hi')]), COMMENT],
    'with data behind its end': [(zip) => Buffer.concat([zip, Buffer.from('hi')]), COMMENT],
    'of more files than its format can count': [
      (zip) => changed(zip, END + 8, [255, 255, 255, 255]),
      'is in the ZIP64',
    ],
    'with a directory far behind': [(zip) => changed(zip, END + 16, [255, 255, 255, 255]), 'is in the ZIP64 format'],
    'with a file of ZIP64': [
      (zip) => changed(zip, CENTRAL + 24, [255, 255, 255, 255]),
      'has the file a.txt in the ZIP64',
    ],
    'on several disks': [(zip) => changed(zip, END + 4, [1]), 'is a part of an archive on several disks'],
    'with an encrypted file': [(zip) => changed(zip, CENTRAL + 8, [1]), 'has the file a.txt encrypted'],
    'with flags that it does not know': [(zip) => changed(zip, CENTRAL + 8, [32]), 'with unknown flags (0x20)'],
    'packed in another way': [(zip) => changed(zip, CENTRAL + 10, [14]), 'packed in an unknown way (14)'],
    'with extra fields': [(zip) => changed(zip, CENTRAL + 30, [4]), 'has the file a.txt with extra fields'],
    'with extra fields at the file': [(zip) => changed(zip, 28, [4]), 'has the file a.txt with extra fields'],
    'with a comment of a file': [(zip) => changed(zip, CENTRAL + 32, [4]), 'has the file a.txt with a comment'],
    'whose directory is broken': [(zip) => changed(zip, CENTRAL, [0]), 'has no whole directory'],
    'whose file has another name': [(zip) => changed(zip, 30, [98]), 'has the file a.txt broken'],
    'with data before the first file': [(zip) => withData(zip, 0), 'has data that belongs to no file'],
    'with data before its directory': [
      (zip) => withData(zip, zip.length + CENTRAL),
      'has data that belongs to no file',
    ],
    'with data behind its directory': [(zip) => withData(zip, zip.length + END), 'between its directory and its end'],
  };
  for (const [name, [change, why]] of Object.entries(refused)) {
    it(`refuses an archive ${name}`, async () => {
      await assert.rejects(squeezeZip(change(zipOf({ 'a.txt': 'one' }))), (error: Error) => {
        assert.ok(error.message.startsWith('This zip archive cannot be packed again: it '), error.message);
        assert.ok(error.message.includes(why), error.message);
        return true;
      });
    });
  }
});

/** `at`: counted from the end if negative. */
function changed(zip: Buffer, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(zip);
  copy.set(bytes, at < 0 ? zip.length + at : at);
  return copy;
}

/** Two more bytes. What the archive says of places after them is right. */
function withData(zip: Buffer, at: number): Buffer {
  const moved = Buffer.from(zip);
  const directory = zip.length + CENTRAL;
  if (at === 0) moved.writeUInt32LE(2, directory + 42);
  if (at <= directory) moved.writeUInt32LE(directory + 2, zip.length + END + 16);
  return Buffer.concat([moved.subarray(0, at), Buffer.from('hi'), moved.subarray(at)]);
}

/** The archive of one file as those write it who learn the size of a file last. */
function withDescriptor(zip: Buffer): Buffer {
  const directory = zip.length + CENTRAL;
  const flagged = changed(changed(zip, directory + 8, [8]), 6, [8]);
  const sizes = flagged.subarray(14, 26);
  const descriptor = Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), sizes]);
  flagged.writeUInt32LE(directory + descriptor.length, zip.length + END + 16);
  const moved = Buffer.concat([flagged.subarray(0, directory), descriptor, flagged.subarray(directory)]);
  moved.fill(0, 14, 26);
  return moved;
}

/** Also checks sizes and checksums. */
async function filesOf(zip: Buffer): Promise<Record<string, string>> {
  const archive = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(zip, { lazyEntries: true });
  const found: Record<string, string> = {};
  return new Promise((resolve, reject) => {
    archive.on('error', reject);
    archive.on('end', () => resolve(found));
    archive.on('entry', (entry: yauzl.Entry) => {
      archive.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        text(stream).then((content) => {
          found[entry.fileName] = content;
          archive.readEntry();
        }, reject);
      });
    });
    archive.readEntry();
  });
}
