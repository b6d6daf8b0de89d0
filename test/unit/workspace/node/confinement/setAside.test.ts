import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pruneSetAside, setAside } from '../../../../../src/workspace/node/confinement/setAside';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('setAside', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'w/.git/config': 'evil', 'w/bare/HEAD': 'ref', 'w/bare/objects/x': '' });
  });
  afterEach(() => folder.dispose());

  it('moves a file or folder with its content', async () => {
    const place = await setAside({ path: path.join(folder.path, 'w/.git') }, path.join(folder.path, 'aside'));
    assert.equal(await readFile(path.join(place ?? '', 'config'), 'utf8'), 'evil');
    assert.deepEqual(await readdir(path.join(folder.path, 'w')), ['bare']);
  });

  it('moves only the HEAD file of a repository', async () => {
    const entry = { path: path.join(folder.path, 'w/bare'), isRepository: true } as const;
    const place = await setAside(entry, path.join(folder.path, 'aside'));
    assert.equal(await readFile(place ?? '', 'utf8'), 'ref');
    assert.deepEqual(await readdir(entry.path), ['objects']);
  });

  it('moves from a folder without the right to write', async () => {
    await chmod(path.join(folder.path, 'w'), 0o500);
    assert.ok(await setAside({ path: path.join(folder.path, 'w/.git') }, path.join(folder.path, 'aside')));
  });

  it('does nothing if the entry is gone', async () => {
    const aside = path.join(folder.path, 'aside');
    assert.equal(await setAside({ path: path.join(folder.path, 'w/gone') }, aside), undefined);
    assert.equal(await setAside({ path: path.join(folder.path, 'gone'), isRepository: true }, aside), undefined);
    assert.deepEqual(await readdir(aside), []);
  });

  it('keeps everything for 30 days', async () => {
    const aside = path.join(folder.path, 'aside');
    const place = await setAside({ path: path.join(folder.path, 'w/.git') }, aside);
    const { mtimeMs } = await stat(path.dirname(place ?? ''));
    const days = (count: number): number => mtimeMs + count * 24 * 60 * 60 * 1000;
    await pruneSetAside(aside, days(29.9));
    assert.deepEqual(await readdir(path.dirname(place ?? '')), ['.git']);
    await pruneSetAside(aside, days(30.1));
    assert.deepEqual(await readdir(aside), []);
    await pruneSetAside(path.join(folder.path, 'missing'), days(31));
  });
});
