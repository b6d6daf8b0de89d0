import assert from 'node:assert/strict';
import path from 'node:path';
import { configuredFiles } from '../../../../../src/workspace/node/confinement/configuredFiles';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('configuredFiles', () => {
  const config = `[core]
\thooksPath = hooks
\tpager = "less -R"
\tfsmonitor = ./tools/watch.sh
\tattributesFile = /etc/attributes
[include]
\tpath = ../shared.gitconfig
[filter "ours"]
\tclean = node scripts/clean.js --all
[alias]
\tst = status
\tgo = "!sh ./go.sh"
[submodule "lib"]
\tpath = lib/a
[remote "origin"]
\turl = ../other.git
`;
  const expected = ['hooks', 'tools/watch.sh', 'shared.gitconfig', 'scripts/clean.js', 'go.sh'];

  const filesIn = async (files: Readonly<Record<string, string>>, work: string): Promise<readonly string[]> => {
    await using folder = await createTemporaryFolder(files);
    const root = path.join(folder.path, work);
    return configuredFiles(path.join(root, '.git')).map((file) => path.relative(root, file));
  };

  it('are the programs that a configuration names in the working folder', async () => {
    assert.deepEqual(await filesIn({ 'w/.git/config': config }, 'w'), expected);
  });

  it('are found through a `.git` file and for a worktree', async () => {
    const files = { 'm/config': config, 'm/worktrees/t/commondir': '../..\n', 't/.git': 'gitdir: ../m/worktrees/t\n' };
    assert.deepEqual(
      await filesIn(files, 't'),
      expected.filter((file) => file !== 'shared.gitconfig'),
    );
  });

  it('are none without a configuration', async () => {
    assert.deepEqual(await filesIn({ 'w/a': '' }, 'w'), []);
  });
});
