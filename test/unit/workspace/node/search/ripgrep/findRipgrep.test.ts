import assert from 'node:assert/strict';
import path from 'node:path';
import {
  findRipgrepOfVscode,
  findRipgrepOnPath,
} from '../../../../../../src/workspace/node/search/ripgrep/findRipgrep';
import { createTemporaryFolder } from '../../../../../support/files/temporaryFolder';

describe("VS Code's ripgrep", () => {
  const linux = { platform: 'linux', arch: 'x64' };

  it('is found in all places that versions of VS Code use', async () => {
    for (const place of [
      'node_modules/@vscode/ripgrep/bin/rg',
      'node_modules.asar.unpacked/@vscode/ripgrep/bin/rg',
      'node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg',
      'node_modules.asar.unpacked/@vscode/ripgrep-universal/bin/linux-x64/rg',
    ]) {
      await using folder = await createTemporaryFolder({ [place]: '' });
      assert.equal(findRipgrepOfVscode(folder.path, linux), path.join(folder.path, place));
    }
  });

  it('is rg.exe on Windows', async () => {
    await using folder = await createTemporaryFolder({
      'node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg': '',
      'node_modules/@vscode/ripgrep-universal/bin/win32-arm64/rg.exe': '',
    });
    assert.equal(
      findRipgrepOfVscode(folder.path, { platform: 'win32', arch: 'arm64' }),
      path.join(folder.path, 'node_modules/@vscode/ripgrep-universal/bin/win32-arm64/rg.exe'),
    );
  });

  it('is undefined when missing', async () => {
    await using folder = await createTemporaryFolder({ 'node_modules/@vscode/ripgrep/bin/readme.md': '' });
    assert.equal(findRipgrepOfVscode(folder.path, linux), undefined);
  });
});

describe('ripgrep on PATH', () => {
  const machine = (searchPath: string, ...programs: readonly string[]) => ({
    searchPath,
    findExecutable: (file: string) => Promise.resolve(programs.includes(file) ? file : undefined),
  });

  it('is the first program of that name', async function () {
    if (process.platform === 'win32') this.skip();
    assert.equal(
      await findRipgrepOnPath(machine('/bin:/opt/bin:/usr/bin', '/opt/bin/rg', '/usr/bin/rg'), ['/work']),
      '/opt/bin/rg',
    );
    assert.equal(await findRipgrepOnPath(machine('/bin'), ['/work']), undefined);
  });

  it('is not used if the workspace could supply it', async function () {
    if (process.platform === 'win32') this.skip();
    const inWorkspace = machine('/work/bin:/usr/bin', '/work/bin/rg', '/usr/bin/rg');
    assert.equal(await findRipgrepOnPath(inWorkspace, ['/work']), undefined);
    assert.equal(await findRipgrepOnPath(machine('.:/usr/bin', '/usr/bin/rg'), ['/work']), undefined);
    const linked = { searchPath: '/usr/bin', findExecutable: () => Promise.resolve('/work/tools/rg') };
    assert.equal(await findRipgrepOnPath(linked, ['/work']), undefined);
  });
});
