import assert from 'node:assert/strict';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createBlobFolder } from '../../../../src/workspace/node/blobFolder';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Of `abc`. Source: FIPS 180-4. */
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const noLimits = { maxAgeMs: Infinity, maxBytes: Infinity };

describe('createBlobFolder', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.dispose());

  const fileOf = (hash: string): string => path.join(folder.path, hash.slice(0, 2), hash);

  it('keeps bytes under their SHA-256, readable by nobody else', async () => {
    const blobs = createBlobFolder(folder.path);
    assert.equal(await blobs.put(bytes('abc'), { durable: true }), abc);
    assert.deepEqual(Buffer.from((await blobs.get(abc)) ?? []).toString(), 'abc');
    if (process.platform !== 'win32') assert.equal((await stat(fileOf(abc))).mode & 0o077, 0);
  });

  it('keeps the same bytes once, also when they come together', async () => {
    const blobs = createBlobFolder(folder.path);
    await Promise.all([blobs.put(bytes('abc')), blobs.put(bytes('abc'), { durable: true })]);
    assert.deepEqual(await readdir(path.join(folder.path, 'ba')), [abc]);
  });

  it('has nothing under other names', async () => {
    const blobs = createBlobFolder(folder.path);
    await writeFile(path.join(folder.path, 'secret'), 'x');
    assert.equal(await blobs.get('../secret'), undefined);
    assert.equal(await blobs.get('0'.repeat(64)), undefined);
  });

  it('does not give what was changed on the disk, and keeps it anew', async () => {
    await createBlobFolder(folder.path).put(bytes('abc'));
    await writeFile(fileOf(abc), 'abd!');
    const blobs = createBlobFolder(folder.path);
    assert.equal(await blobs.get(abc), undefined);
    await blobs.put(bytes('abc'));
    assert.equal(await readFile(fileOf(abc), 'utf8'), 'abc');
  });

  it('removes what is old', async () => {
    await createBlobFolder(folder.path).put(bytes('abc'));
    await utimes(fileOf(abc), 1_000, 1_000);
    const blobs = createBlobFolder(folder.path);
    await blobs.prune({ ...noLimits, maxAgeMs: 10_000 }, 1_000_000 + 10_001);
    assert.equal(await blobs.get(abc), undefined);
  });

  it('removes the oldest until the rest is small enough', async () => {
    const writer = createBlobFolder(folder.path);
    const [old, young] = [await writer.put(bytes('old')), await writer.put(bytes('new'))];
    await utimes(fileOf(old), 1, 1);
    const blobs = createBlobFolder(folder.path);
    await blobs.prune({ ...noLimits, maxBytes: 3 }, Date.now());
    assert.deepEqual([await blobs.get(old), (await blobs.get(young))?.byteLength], [undefined, 3]);
  });

  it('never removes what it has kept itself', async () => {
    const blobs = createBlobFolder(folder.path);
    const hash = await blobs.put(bytes('abc'));
    await blobs.prune({ maxAgeMs: -1, maxBytes: 0 }, Date.now());
    assert.equal((await blobs.get(hash))?.byteLength, 3);
  });

  it('counts what is kept again as used now', async () => {
    await createBlobFolder(folder.path).put(bytes('abc'));
    await utimes(fileOf(abc), 1, 1);
    await createBlobFolder(folder.path).put(bytes('abc'));
    assert.ok((await stat(fileOf(abc))).mtimeMs > 1_000);
  });
});
