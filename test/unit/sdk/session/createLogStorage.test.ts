import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import path from 'node:path';
import { createLogStorage } from '../../../../src/sdk/session/createLogStorage';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/files/temporaryFolder';

describe('createLogStorage', () => {
  const storage = createLogStorage(files);
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'other.txt': 'theirs' });
    file = path.join(folder.path, 's.jsonl');
  });
  afterEach(() => folder.dispose());

  const readAll = async (): Promise<string> => {
    let text = '';
    for await (const piece of storage.read(file)) text += Buffer.from(piece).toString();
    return text;
  };

  it('reads a large file in pieces, and a missing file as nothing', async () => {
    assert.equal(await readAll(), '');
    await files.writeFile(file, 'x'.repeat(3_000_000));
    let largest = 0;
    for await (const piece of storage.read(file)) largest = Math.max(largest, piece.length);
    assert.equal((await readAll()).length, 3_000_000);
    assert.ok(largest <= 1024 * 1024);
    assert.equal(Buffer.from(await storage.readFrom(file, 2_999_998)).toString(), 'xx');
  });

  it('reads the next piece while the caller works, tells of a failure when that piece is asked for, and closes the file', async () => {
    await files.writeFile(file, 'x'.repeat(3_000_000));
    const calls: string[] = [];
    let failsAt = Infinity;
    const open: typeof files.open = async (...args) => {
      const handle = await files.open(...args);
      const { read, close } = handle;
      const observed = {
        read: (...given: readonly [Uint8Array, number, number, number]) => {
          calls.push('read');
          return calls.length < failsAt ? read.apply(handle, given as never) : Promise.reject(new Error('EIO'));
        },
        close: () => {
          calls.push('close');
          return close.call(handle);
        },
      };
      return Object.assign(handle, observed as never);
    };
    const observed = createLogStorage({ ...files, open });
    for await (const piece of observed.read(file)) {
      assert.ok(piece.length > 0);
      assert.deepEqual(calls, ['read', 'read']);
      break;
    }
    assert.deepEqual(calls, ['read', 'read', 'close']);

    calls.length = 0;
    failsAt = 2;
    const pieces = observed.read(file)[Symbol.asyncIterator]();
    assert.equal((await pieces.next()).done, false);
    // The read has failed, and nobody waits for it yet.
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(pieces.next(), /EIO/);
    assert.deepEqual(calls, ['read', 'read', 'close']);
  });

  it('refuses a link, whether its target exists or not, and a folder', async () => {
    for (const target of [path.join(folder.path, 'other.txt'), path.join(folder.path, 'missing')]) {
      await files.symlink(target, file);
      await assert.rejects(storage.openForAppend(file), /s\.jsonl is a link\. A session must be a regular file\./);
      await assert.rejects(readAll(), /is a link/);
      await files.unlink(file);
    }
    await files.mkdir(file);
    await assert.rejects(storage.openForAppend(file));
    await assert.rejects(readAll(), /not a regular file/);
    assert.deepEqual((await files.readdir(folder.path)).sort(), ['other.txt', 's.jsonl']);
    assert.equal(await files.readFile(path.join(folder.path, 'other.txt'), 'utf8'), 'theirs');
  });

  it('knows when an open file was deleted or replaced', async () => {
    const log = await storage.openForAppend(file);
    assert.equal(await log.isCurrent(), true);
    await files.rename(file, `${file}.moved`);
    assert.equal(await log.isCurrent(), false);
    await files.writeFile(file, '');
    assert.equal(await log.isCurrent(), false);
    await files.rename(`${file}.moved`, file);
    assert.equal(await log.isCurrent(), true);
    await files.unlink(file);
    assert.equal(await log.isCurrent(), false);
    await log.close();
  });
});
