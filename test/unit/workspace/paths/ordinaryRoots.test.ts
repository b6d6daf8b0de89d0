import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ordinaryRoots } from '../../../../src/workspace/paths/ordinaryRoots';
import { createTemporaryFolder } from '../../../support/files/temporaryFolder';

const named = (...paths: readonly string[]) => paths.map((each, index) => ({ name: `folder${index}`, path: each }));
const kept = (...paths: readonly string[]): readonly string[] =>
  ordinaryRoots(named(...paths)).map((root) => root.path);

describe('opened folders', () => {
  it('are left out where they are protected themselves, under any name', () => {
    const protectedFolders = [
      '/a/.git',
      '/a/.git/hooks',
      '/a/.SSH',
      '/h/.aws/sso',
      '/a/.vscode',
      '/a/.roo',
      '/a/.github',
    ];
    assert.deepEqual(kept('/a/src', ...protectedFolders, 'C:\\a\\.git'), ['/a/src']);
  });

  it('are all used where each is an ordinary one', () => {
    const ordinary = [
      '/a',
      '/a/build',
      '/h/.config/nvim',
      '/h/.claude/worktrees/a',
      '/h/a.git',
      'vscode-vfs://github/a/b',
    ];
    assert.deepEqual(kept(...ordinary), ordinary);
  });

  it('are all used where the person opened only protected ones', () => {
    assert.deepEqual(kept('/h/.ssh'), ['/h/.ssh']);
    assert.deepEqual(kept('/h/.ssh', '/h/.aws'), ['/h/.ssh', '/h/.aws']);
  });

  it('are left out where a link leads to a protected one', async () => {
    const folder = await createTemporaryFolder({ 'a.txt': 'a' });
    try {
      mkdirSync(path.join(folder.path, '.git'));
      symlinkSync('.git', path.join(folder.path, 'docs'));
      assert.deepEqual(kept(folder.path, path.join(folder.path, 'docs')), [folder.path]);
    } finally {
      await folder.dispose();
    }
  });
});
