import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createNodeFileSystem } from '../../../../../src/workspace/node/files/nodeFileSystem';
import { StaleFileError } from '../../../../../src/workspace/ports';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('createNodeFileSystem', () => {
  const fileSystem = createNodeFileSystem();

  it('keeps the mode of a replaced file and leaves no temporary file', async () => {
    await using folder = await createTemporaryFolder({ 'run.sh': 'echo 1\n' });
    const file = path.join(folder.path, 'run.sh');
    await chmod(file, 0o755);
    await fileSystem.writeText(file, 'echo 2\n', 'echo 1\n');
    assert.equal((await stat(file)).mode & 0o777, 0o755);
    assert.deepEqual(await readdir(folder.path), ['run.sh']);
  });

  it('leaves no temporary file if it does not replace the file', async () => {
    await using folder = await createTemporaryFolder({ 'a.txt': 'changed' });
    await assert.rejects(fileSystem.writeText(path.join(folder.path, 'a.txt'), 'new', 'old'), StaleFileError);
    await assert.rejects(fileSystem.writeText(path.join(folder.path, 'a.txt'), 'new', null), StaleFileError);
    assert.deepEqual(await readdir(folder.path), ['a.txt']);
  });

  it('lets only one of many concurrent creators succeed, with its whole text', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 'a.txt');
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(10_000));
    const results = await Promise.allSettled(texts.map((text) => fileSystem.writeText(file, text, null)));
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await readFile(file, 'utf8'), texts[winner]);
    assert.deepEqual(await readdir(folder.path), ['a.txt']);
  });

  it('refuses a pipe without waiting for its writer', async function () {
    if (process.platform === 'win32') this.skip();
    await using folder = await createTemporaryFolder();
    const pipe = path.join(folder.path, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    assert.equal((await fileSystem.stat(pipe))?.kind, 'other');
    await assert.rejects(fileSystem.openText(pipe), /not a regular file/);
    await assert.rejects(fileSystem.readSlice(pipe, 0, 10), /not a regular file/);
  });
});
