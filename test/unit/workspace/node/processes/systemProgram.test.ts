import assert from 'node:assert/strict';
import path from 'node:path';
import { findShell } from '../../../../../src/workspace/node/commands/shell';
import { windowsProgram } from '../../../../../src/workspace/node/processes/systemProgram';

describe('programs of the system', () => {
  it('are named by their whole path on Windows, which looks in the folder of a new process first', () => {
    assert.equal(
      windowsProgram('taskkill.exe', { SystemRoot: String.raw`D:\Windows` }),
      String.raw`D:\Windows\System32\taskkill.exe`,
    );
    for (const SystemRoot of [undefined, '', '.', 'Windows', String.raw`\\server\share`, '/tmp']) {
      assert.equal(windowsProgram('x.exe', { SystemRoot }), String.raw`C:\Windows\System32\x.exe`);
    }
    const { file } = findShell('win32');
    assert.deepEqual([path.win32.isAbsolute(file), path.win32.basename(file)], [true, 'powershell.exe']);
  });
});
