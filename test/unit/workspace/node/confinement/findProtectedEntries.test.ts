import assert from 'node:assert/strict';
import path from 'node:path';
import { canMatter, findProtectedEntries } from '../../../../../src/workspace/node/confinement/findProtectedEntries';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('findProtectedEntries', () => {
  async function findIn(files: Readonly<Record<string, string>>, maxFolders = 1000) {
    await using folder = await createTemporaryFolder(files);
    const found = await findProtectedEntries(folder.path, folder.path, { maxFolders });
    return found?.map((entry) => path.relative(folder.path, entry.path)).toSorted();
  }

  it('finds what programs outside obey, at any depth, and does not look into it', async () => {
    const files = {
      'a.txt': '',
      '.git/config': '',
      '.git/modules/x/.git': '',
      'b/.GIT': '',
      'b/.vscode/settings.json': '',
      'b/c/.npmrc': '',
      'b/c/x.code-workspace': '',
      'b/c/package.json': '',
      'b/.yarn/cache/x': '',
    };
    assert.deepEqual(await findIn(files), ['.git', 'b/.GIT', 'b/.vscode', 'b/c/.npmrc', 'b/c/x.code-workspace']);
  });

  it('finds bare repositories by their content', async () => {
    const repository = (at: string) => ({ [`${at}/HEAD`]: '', [`${at}/objects/x`]: '', [`${at}/refs/x`]: '' });
    const files = {
      ...repository('a'),
      ...repository('b/c'),
      'd/HEAD': '',
      'd/commondir': '',
      'e/HEAD': '',
      'e/refs/x': '',
    };
    assert.deepEqual(await findIn(files), ['a', 'b/c', 'd']);
  });

  it('finds the parts of a bare repository that is opened itself', async () => {
    const files = { HEAD: '', 'objects/x': '', 'refs/x': '', config: '', 'hooks/x': '', other: '' };
    assert.deepEqual(await findIn(files), ['', 'HEAD', 'config', 'hooks', 'objects', 'refs']);
  });

  it('finds only repositories in dependencies', async () => {
    const files = { 'node_modules/a/.vscode/x': '', 'node_modules/a/.git/config': '', 'vendor/b/.npmrc': '' };
    assert.deepEqual(await findIn(files), ['node_modules/a/.git']);
  });

  it('gives up when there are too many folders', async () => {
    assert.equal(await findIn({ 'a/b/c/d': '', 'e/f': '' }, 4), undefined);
  });

  it('knows which names can matter', () => {
    const names = ['.git', 'HEAD', 'objects', 'commondir', '.bashrc', 'a.txt', 'package.json', 'src'];
    assert.deepEqual(
      names.filter((name) => canMatter(name)),
      ['.git', 'HEAD', 'objects', 'commondir', '.bashrc'],
    );
  });
});
