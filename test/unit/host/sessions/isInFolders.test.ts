import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInFolders } from '../../../../src/host/sessions/isInFolders';
import { createTemporaryFolder } from '../../../support/files/temporaryFolder';

describe('a session of the command line', () => {
  for (const [name, uri, expected] of [
    ['that folder', 'file:///w/app', true],
    ['a folder in it', 'file:///w/app/src', true],
    ['one whose name begins the same', 'file:///w/application', false],
    ['a folder around it', 'file:///w', false],
    ['another machine', 'file://host/w/app', false],
    ['no file', 'vscode-remote://ssh/w/app', false],
    ['no folder', null, false],
  ] as const) {
    it(`${expected ? 'belongs' : 'does not belong'} to an open folder when it was started in ${name}`, () => {
      assert.equal(isInFolders(uri, [{ path: '/w/app' }]), expected);
    });
  }

  it('belongs to a folder that was opened through a link', async () => {
    await using folder = await createTemporaryFolder({ 'real/a.txt': '' });
    const link = path.join(folder.path, 'link');
    await symlink(path.join(folder.path, 'real'), link);
    assert.equal(isInFolders(pathToFileURL(path.join(folder.path, 'real')).href, [{ path: link }]), true);
  });
});
