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
