import assert from 'node:assert/strict';
import path from 'node:path';
import { findRipgrep } from '../../../../../src/host/ports/ripgrep/findRipgrep';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

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
      assert.equal(findRipgrep(folder.path, linux), path.join(folder.path, place));
    }
  });

  it('is rg.exe on Windows', async () => {
    await using folder = await createTemporaryFolder({
      'node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg': '',
      'node_modules/@vscode/ripgrep-universal/bin/win32-arm64/rg.exe': '',
    });
    assert.equal(
      findRipgrep(folder.path, { platform: 'win32', arch: 'arm64' }),
      path.join(folder.path, 'node_modules/@vscode/ripgrep-universal/bin/win32-arm64/rg.exe'),
    );
  });

  it('is undefined when missing', async () => {
    await using folder = await createTemporaryFolder({ 'node_modules/@vscode/ripgrep/bin/readme.md': '' });
    assert.equal(findRipgrep(folder.path, linux), undefined);
  });
});
