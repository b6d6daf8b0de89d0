import assert from 'node:assert/strict';
import * as nodeFiles from 'node:fs/promises';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createBlobFolder } from '../../../../../src/workspace/node/checkpoints/blobFolder';
import { failEachCall, FAULTS, watchCalls } from '../../../../support/files/faultyDisk';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

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

  it('stores bytes under their SHA-256, readable only by the user', async () => {
    const blobs = createBlobFolder(folder.path);
    assert.equal(await blobs.put(bytes('abc'), { durable: true }), abc);
    assert.deepEqual(Buffer.from((await blobs.get(abc)) ?? []).toString(), 'abc');
    if (process.platform !== 'win32') assert.equal((await stat(fileOf(abc))).mode & 0o077, 0);
  });

  it('stores equal bytes once, even at the same time', async () => {
    const blobs = createBlobFolder(folder.path);
    await Promise.all([blobs.put(bytes('abc')), blobs.put(bytes('abc'), { durable: true })]);
    assert.deepEqual(await readdir(path.join(folder.path, 'ba')), [abc]);
  });

  it('finds nothing under other names', async () => {
    const blobs = createBlobFolder(folder.path);
    await writeFile(path.join(folder.path, 'secret'), 'x');
    assert.equal(await blobs.get('../secret'), undefined);
    assert.equal(await blobs.get('0'.repeat(64)), undefined);
  });

  it('does not return a content that changed on the disk, and stores it again', async () => {
    await createBlobFolder(folder.path).put(bytes('abc'));
    await writeFile(fileOf(abc), 'abd!');
    const blobs = createBlobFolder(folder.path);
    assert.equal(await blobs.get(abc), undefined);
    await blobs.put(bytes('abc'));
    assert.equal(await readFile(fileOf(abc), 'utf8'), 'abc');
  });

  it('removes old contents', async () => {
    await createBlobFolder(folder.path).put(bytes('abc'));
    await utimes(fileOf(abc), 1_000, 1_000);
    const blobs = createBlobFolder(folder.path);
    await blobs.prune({ ...noLimits, maxAgeMs: 10_000 }, 1_000_000 + 10_001);
    assert.equal(await blobs.get(abc), undefined);
  });

  it('removes the oldest contents until the total size fits', async () => {
    const writer = createBlobFolder(folder.path);
    const [old, young] = [await writer.put(bytes('old')), await writer.put(bytes('new'))];
    await utimes(fileOf(old), 1, 1);
    const blobs = createBlobFolder(folder.path);
    await blobs.prune({ ...noLimits, maxBytes: 3 }, Date.now());
    assert.deepEqual([await blobs.get(old), (await blobs.get(young))?.byteLength], [undefined, 3]);
  });

  it('never removes a content that it stored itself', async () => {
    const blobs = createBlobFolder(folder.path);
    const hash = await blobs.put(bytes('abc'));
    await blobs.prune({ maxAgeMs: -1, maxBytes: 0 }, Date.now());
    assert.equal((await blobs.get(hash))?.byteLength, 3);
  });

  it('marks a content as used when it is stored again', async () => {
    await createBlobFolder(folder.path).put(bytes('abc'));
    await utimes(fileOf(abc), 1, 1);
    await createBlobFolder(folder.path).put(bytes('abc'));
    assert.ok((await stat(fileOf(abc))).mtimeMs > 1_000);
  });

  it('never removes a content that another window stores during pruning, at any moment', async () => {
    const limits = { ...noLimits, maxAgeMs: 60_000 };
    for (let moment = 1, isDone = false; !isDone; moment += 1) {
      const [ours, theirs] = [await createBlobFolder(folder.path).put(bytes('abc')), bytes('abc')];
      await utimes(fileOf(ours), 1, 1);
      const { calls, callCount } = watchCalls(nodeFiles, async ({ number }) => {
        if (number !== moment) return;
        await createBlobFolder(folder.path).put(theirs, { durable: true });
        assert.equal((await createBlobFolder(folder.path).get(ours))?.byteLength, 3, `at call ${moment}`);
      });
      await createBlobFolder(folder.path, calls).prune(limits, Date.now());
      isDone = callCount() < moment;
      const left = await createBlobFolder(folder.path).get(ours);
      assert.equal(left?.byteLength, isDone ? undefined : 3, `at call ${moment}`);
      assert.deepEqual(await readdir(path.join(folder.path, 'ba')), isDone ? [] : [abc], `at call ${moment}`);
    }
  });

  it('stores a content while another window prunes, at any moment', async () => {
    for (let moment = 1, isDone = false; !isDone; moment += 1) {
      await createBlobFolder(folder.path).put(bytes('abc'));
      await utimes(fileOf(abc), 1, 1);
      const { calls, callCount } = watchCalls(nodeFiles, async ({ number }) => {
        const limits = { ...noLimits, maxAgeMs: 60_000 };
        if (number === moment) await createBlobFolder(folder.path).prune(limits, Date.now());
      });
      await createBlobFolder(folder.path, calls).put(bytes('abc'), { durable: true });
      isDone = callCount() < moment;
      assert.equal((await createBlobFolder(folder.path).get(abc))?.byteLength, 3, `at call ${moment}`);
    }
  });

  it('restores contents that a window moved before it died while pruning, and removes its unfinished files', async () => {
    await createBlobFolder(folder.path).put(bytes('abc'));
    await nodeFiles.rename(fileOf(abc), `${fileOf(abc)}.0123abcd.pruned`);
    await writeFile(`${fileOf(abc)}.0123abcd.tmp`, 'a');
    await utimes(`${fileOf(abc)}.0123abcd.tmp`, 1, 1);
    await writeFile(`${fileOf(abc)}.89abcdef.tmp`, 'a');
    assert.equal((await createBlobFolder(folder.path).get(abc))?.byteLength, 3);
    await createBlobFolder(folder.path).prune(noLimits, Date.now());
    assert.deepEqual((await readdir(path.join(folder.path, 'ba'))).toSorted(), [abc, `${abc}.89abcdef.tmp`]);
  });

  it('keeps every stored content if it dies before any call, and the next window cleans up', async () => {
    for (let last = 0, isDone = false; !isDone; last += 1) {
      await using place = await createTemporaryFolder();
      const { calls, callCount } = watchCalls(nodeFiles, async ({ number }) => {
        // From here on nothing reaches the disk any more, cleaning up included.
        if (number > last) throw new Error('dead');
      });
      const [dying, next] = [createBlobFolder(place.path, calls), createBlobFolder(place.path)];
      const old = await next.put(bytes('old'), { durable: true });
      await utimes(path.join(place.path, old.slice(0, 2), old), 1, 1);
      const live = (work: Promise<unknown>): Promise<boolean> =>
        work.then(
          () => true,
          () => false,
        );
      const isKept = await live(dying.put(bytes('abc'), { durable: true }));
      await live(dying.prune({ ...noLimits, maxAgeMs: 60_000 }, Date.now()));
      const isOldKept = await live(dying.put(bytes('old'), { durable: true }));
      isDone = callCount() <= last;
      const later = createBlobFolder(place.path);
      if (isKept) assert.equal((await later.get(abc))?.byteLength, 3, `after ${last} calls`);
      if (isOldKept) assert.equal((await later.get(old))?.byteLength, 3, `after ${last} calls`);
      await later.prune(noLimits, Date.now() + 2 * 60 * 60_000);
      const names = (await readdir(place.path, { recursive: true })).filter((name) => name.includes(path.sep));
      assert.deepEqual(
        names.filter((name) => !/^[0-9a-f]{2}.[0-9a-f]{64}$/.test(name)),
        [],
        `after ${last} calls`,
      );
      if (isKept) assert.equal((await later.get(abc))?.byteLength, 3, `after ${last} calls`);
      if (isOldKept) assert.equal((await later.get(old))?.byteLength, 3, `after ${last} calls`);
    }
  });

  it('keeps every stored content if any call to the disk fails, or rejects', async () => {
    for (const code of FAULTS) {
      await failEachCall(nodeFiles, code, async (calls, at) => {
        await using place = await createTemporaryFolder();
        const [store, disk] = [createBlobFolder(place.path, calls), createBlobFolder(place.path)];
        await disk.put(bytes('old'), { durable: true });
        const refusals: string[] = [];
        const attempt = async (work: Promise<unknown>): Promise<boolean> => {
          try {
            await work;
            return true;
          } catch (error) {
            refusals.push(String(error));
            return false;
          }
        };
        const isKept = await attempt(store.put(bytes('abc'), { durable: true }));
        if (isKept) assert.equal((await disk.get(abc))?.byteLength, 3, `${code} at call ${at}`);
        await attempt(store.get(abc));
        await attempt(store.prune(noLimits, Date.now()));
        await attempt(store.prune({ maxAgeMs: -1, maxBytes: 0 }, Date.now()));
        // What this one keeps stays, whatever failed.
        if (isKept) assert.equal((await disk.get(abc))?.byteLength, 3, `${code} at call ${at}`);
        assert.ok(
          refusals.every((refusal) => refusal.startsWith(`Error: ${code}`)),
          refusals.join(),
        );
        // Once the disk is well again, everything goes on, and nothing is left behind.
        await attempt(store.put(bytes('abc'), { durable: true }));
        await disk.put(bytes('abc'), { durable: true });
        await disk.prune(noLimits, Date.now() + 2 * 60 * 60_000);
        assert.deepEqual(await readdir(path.join(place.path, 'ba')), [abc], `${code} at call ${at}`);
      });
    }
  });
});
