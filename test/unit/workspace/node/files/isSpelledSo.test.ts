import assert from 'node:assert/strict';
import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import { isSpelledSo, type SpellingCalls } from '../../../../../src/workspace/node/files/isSpelledSo';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

/** A folder with these names in it, in which case does not count. */
function caseless(...names: readonly string[]): SpellingCalls {
  const lstat = async (file: string): Promise<object> => {
    const wanted = path.basename(file).toLowerCase();
    if (names.some((name) => name.toLowerCase() === wanted)) return {};
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  };
  return { lstat, readdir: async () => names } as unknown as SpellingCalls;
}

describe('isSpelledSo', () => {
  it('distinguishes names by case on a file system that ignores case', async () => {
    const files = caseless('Readme.md', '123.txt');
    assert.equal(await isSpelledSo('/w/Readme.md', files), true);
    assert.equal(await isSpelledSo('/w/README.md', files), false);
    assert.equal(await isSpelledSo('/w/readme.md', files), false);
    assert.equal(await isSpelledSo('/w/123.txt', files), true);
  });

  it('treats composed and decomposed accents as equal', async () => {
    assert.equal(await isSpelledSo('/w/caf\u00e9', caseless('cafe\u0301')), true);
  });

  it('reads no folder on a file system that compares case', async () => {
    await using folder = await createTemporaryFolder({ 'a.txt': '', 'A.TXT': '' });
    const readdir = (async () => assert.fail('The folder is not read.')) as unknown as typeof nodeFiles.readdir;
    await nodeFiles.unlink(path.join(folder.path, 'A.TXT'));
    assert.equal(await isSpelledSo(path.join(folder.path, 'a.txt'), { lstat: nodeFiles.lstat, readdir }), true);
  });
});
