import assert from 'node:assert/strict';
import type { Dirent } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { listEntries, readFolder } from '../../../../../src/workspace/node/files/listEntries';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('the entries of a folder', () => {
  const described = (entries: readonly Dirent[]): readonly string[] =>
    entries.map((entry) => `${entry.name} ${entry.isDirectory()} ${entry.isSymbolicLink()}`).toSorted();

  for (const count of [3, 3_000]) {
    it(`are all there, with their kinds, if there are ${count}`, async () => {
      await using folder = await createTemporaryFolder({ 'below/a.ts': '' });
      const names = Array.from({ length: count }, (_, index) => `file-with-a-rather-long-name-${index}.ts`);
      await Promise.all(names.map((name) => fs.writeFile(path.join(folder.path, name), '')));
      await fs.symlink('below', path.join(folder.path, 'link'));
      const expected = [
        'below true false',
        'link false true',
        ...names.map((name) => `${name} false false`),
      ].toSorted();
      assert.deepEqual(described(await readFolder(folder.path)), expected);
      assert.deepEqual(described(await listEntries(folder.path)), expected);
    });
  }

  it('reject with the error of the system', async () => {
    await using folder = await createTemporaryFolder({ 'a.ts': '' });
    await assert.rejects(readFolder(path.join(folder.path, 'none')), { code: 'ENOENT' });
    await assert.rejects(readFolder(path.join(folder.path, 'a.ts')), { code: 'ENOTDIR' });
    assert.throws(() => listEntries(path.join(folder.path, 'none')), { code: 'ENOENT' });
  });
});
