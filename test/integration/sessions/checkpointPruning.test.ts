import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';
import { bundleProgram } from '../../support/bundleProgram';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

describe('two windows that prune old content of files', () => {
  it('remove old content, and never content that one of them has just kept again', async () => {
    await using program = await bundleProgram('pruningWindow');
    await using folder = await createTemporaryFolder();
    // All content is old; half of it is kept again during the removal.
    const [wanted, all] = [80, 160];
    for (let index = 0; index < all; index += 1) {
      const hash = await createBlobFolder(folder.path).put(Buffer.from(`text ${index}`));
      await utimes(path.join(folder.path, hash.slice(0, 2), hash), 1, 1);
    }
    const told = await Promise.all(
      ['one', 'other'].map(async () => {
        const child = program.start(folder.path, String(wanted));
        let output = '';
        child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
        const [code] = (await once(child, 'close')) as [number | null];
        assert.equal(code, 0);
        return output.trim().split('\n');
      }),
    );
    assert.deepEqual(told[0], told[1]);
    assert.equal(told[0]?.length, wanted);
    for (const hash of told[0] ?? []) assert.ok(await createBlobFolder(folder.path).get(hash), hash);
    const shelves = await readdir(folder.path);
    const left = await Promise.all(shelves.map((shelf) => readdir(path.join(folder.path, shelf))));
    assert.deepEqual(left.flat().toSorted(), told[0]?.toSorted());
  });
});
