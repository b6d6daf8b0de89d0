import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createNodeCommandWorld } from '../../../../../src/workspace/node/commands/nodeCommandWorld';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('the output that a decision needs', function () {
  const skip = process.platform === 'win32';
  const readBoth = (command: string, environment: Readonly<Record<string, string>> = {}) =>
    createNodeCommandWorld({ ...process.env, OPENAI_API_KEY: 'secret' }).readOutput!({
      command,
      cwd: '/',
      environment,
    });
  const read = async (command: string, environment: Readonly<Record<string, string>> = {}) =>
    (await readBoth(command, environment))?.output;

  before(function () {
    if (skip) this.skip();
  });

  it('is what the command prints, without its errors, also if it fails', async () => {
    assert.equal(await read("printf 'a\\0b\\n'; echo c >&2; exit 3"), 'a\0b\n');
    assert.equal(await read('cd /nowhere && ls'), '');
    assert.equal(await read('{ ls /nowhere; echo a; } # b'), 'a\n');
    assert.equal(await read('pwd'), '/\n');
  });

  it('comes with its errors, apart from it', async () => {
    assert.deepEqual(await readBoth('echo a; echo b >&2; echo c'), { output: 'a\nc\n', errors: 'b\n' });
    assert.equal((await readBoth('head -c 900000 /dev/zero >&2; echo a'))?.output, 'a\n');
  });

  it('has the variables of commands', async () => {
    assert.equal(await read('echo "[$OPENAI_API_KEY][$GIT_PAGER]"', { GIT_PAGER: 'x' }), '[][x]\n');
  });

  it('is none if there is too much, or if it is no text', async () => {
    assert.equal(await read('head -c 300000 /dev/zero'), undefined);
    assert.equal(await read("printf '\\xff\\xfe'"), undefined);
  });

  it('is awaited no longer for a program that left the group, and that program ends', async function () {
    this.timeout(20_000);
    const folder = await createTemporaryFolder();
    try {
      const file = path.join(folder.path, 'pid');
      assert.equal(await read(`timeout 600 bash -c 'echo $$ > ${file}; exec sleep 600'`), undefined);
      const pid = Number(await readFile(file, 'utf8'));
      const isRunning = (): boolean => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      };
      while (isRunning()) await setTimeout(50);
    } finally {
      await folder.dispose();
    }
  });
});
