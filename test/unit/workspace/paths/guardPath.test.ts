import assert from 'node:assert/strict';
import { guardAgain, guardPath } from '../../../../src/workspace/paths/guardPath';
import type { GuardedPath } from '../../../../src/workspace/plans';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

describe('guardPath', () => {
  const roots = [{ name: 'w', path: '/w' }];

  function makeFileSystem(): MemoryFileSystem {
    const fileSystem = new MemoryFileSystem({
      '/w/src/a.ts': 'a',
      '/w2/secret': 's',
      '/etc/passwd': 'root',
      '/proc/version': 'v',
    });
    fileSystem.makeLink('/w/inside', 'src');
    fileSystem.makeLink('/w/outside', '/etc');
    fileSystem.makeLink('/w/dangling', '/w2/not-yet');
    fileSystem.makeLink('/w/loop', 'loop');
    fileSystem.makeLink('/proc/self/root', '/');
    fileSystem.makeSpecial('/w/fifo');
    fileSystem.makeLink('/opened', '/w');
    return fileSystem;
  }

  async function guard(input: string, among = roots): Promise<GuardedPath | string> {
    const guarded = await guardPath(input, { roots: among, fileSystem: makeFileSystem() });
    return guarded.ok ? guarded.path : guarded.error;
  }

  it('accepts existing paths inside', async () => {
    const expected = {
      path: '/w/src/a.ts',
      realPath: '/w/src/a.ts',
      displayPath: 'src/a.ts',
      pathInRoot: 'src/a.ts',
      exists: true,
    };
    for (const input of ['src/a.ts', './src/a.ts', '/w/src/a.ts', 'src/../src/a.ts']) {
      assert.deepEqual(await guard(input), expected, input);
    }
    assert.deepEqual(await guard('.'), { path: '/w', realPath: '/w', displayPath: '.', pathInRoot: '', exists: true });
  });

  it('accepts new paths below an existing folder', async () => {
    assert.deepEqual(await guard('new/deep/b.ts'), {
      path: '/w/new/deep/b.ts',
      realPath: '/w/new/deep/b.ts',
      displayPath: 'new/deep/b.ts',
      pathInRoot: 'new/deep/b.ts',
      exists: false,
    });
  });

  it('follows a link that stays inside', async () => {
    assert.deepEqual(await guard('inside/a.ts'), {
      path: '/w/inside/a.ts',
      realPath: '/w/src/a.ts',
      displayPath: 'inside/a.ts',
      pathInRoot: 'src/a.ts',
      exists: true,
      unlinkedPath: '/w/src/a.ts',
    });
    assert.deepEqual(await guard('inside/b.ts'), {
      path: '/w/inside/b.ts',
      realPath: '/w/src/b.ts',
      displayPath: 'inside/b.ts',
      pathInRoot: 'src/b.ts',
      exists: false,
      unlinkedPath: '/w/src/b.ts',
    });
  });

  it('refuses paths outside, and names the workspace', async () => {
    for (const input of [
      '../w2/secret',
      '/etc/passwd',
      '/w2/secret',
      '/nowhere/at/all',
      '/',
      'outside/passwd',
      'outside/new',
    ]) {
      assert.equal(
        await guard(input),
        `"${input}" is outside the workspace. Only files in the workspace can be used: w (/w).`,
      );
    }
  });

  it('marks paths outside, by their real path, for callers that ask', async () => {
    const fileSystem = makeFileSystem();
    const mark = (input: string) => guardPath(input, { roots, fileSystem, outside: 'mark' });
    const passwd = {
      ok: true,
      path: {
        path: '/etc/passwd',
        realPath: '/etc/passwd',
        displayPath: '/etc/passwd',
        pathInRoot: null,
        exists: true,
      },
    };
    assert.deepEqual(await mark('/etc/passwd'), passwd);
    assert.deepEqual(await mark('outside/passwd'), passwd);
    assert.deepEqual(await mark('../etc/passwd'), passwd);
    for (const input of ['/proc/version', '/proc/self/root/w/src/a.ts', '/dev/null', 'loop/x', 'dangling']) {
      assert.equal((await mark(input)).ok, false, input);
    }
  });

  it('notices that a path outside leads to another place now, or that a path inside leads out', async () => {
    const fileSystem = makeFileSystem();
    const options = { roots, fileSystem };
    const outside = await guardPath('/w2/secret', { ...options, outside: 'mark' });
    const inside = await guardPath('inside/a.ts', options);
    assert.ok(outside.ok && inside.ok);
    assert.deepEqual(await guardAgain(outside.path, options), outside);
    fileSystem.makeLink('/w2/secret', '/etc/passwd');
    assert.match(JSON.stringify(await guardAgain(outside.path, options)), /leads to another place/);
    fileSystem.makeLink('/w/inside', '/etc');
    assert.match(JSON.stringify(await guardAgain(inside.path, options)), /outside the workspace/);
  });

  it('assigns a path to the nearest of nested folders', async () => {
    const nested = [
      { name: 'w', path: '/w' },
      { name: 'src', path: '/w/src' },
    ];
    assert.deepEqual(await guard('/w/src/a.ts', nested), {
      path: '/w/src/a.ts',
      realPath: '/w/src/a.ts',
      displayPath: 'src/a.ts',
      pathInRoot: 'a.ts',
      exists: true,
    });
  });

  it('refuses broken and circular links', async () => {
    assert.match(JSON.stringify(await guard('dangling')), /a link to something that does not exist/);
    assert.match(JSON.stringify(await guard('dangling/x')), /a link to something that does not exist/);
    assert.match(JSON.stringify(await guard('loop/x')), /cannot be used: ELOOP/);
  });

  it("refuses devices and pipes, and the kernel's way back into the workspace", async () => {
    assert.match(JSON.stringify(await guard('fifo')), /Only regular files and folders/);
    assert.match(JSON.stringify(await guard('/proc/self/root/w/src/a.ts')), /not a file to work on/);
    assert.match(JSON.stringify(await guard('/proc/version')), /not a file to work on/);
  });

  it('refuses to treat a file as a folder', async () => {
    assert.equal(await guard('src/a.ts/b'), '"src/a.ts" is a file, so there is nothing below it.');
  });

  it('shows a path the way the person opened the folder, whichever way the model wrote it', async () => {
    const opened = [{ name: 'opened', path: '/opened' }];
    const expected = {
      path: '/opened/src/a.ts',
      realPath: '/w/src/a.ts',
      displayPath: 'src/a.ts',
      pathInRoot: 'src/a.ts',
      exists: true,
    };
    assert.deepEqual(await guard('src/a.ts', opened), expected);
    assert.deepEqual(await guard('/w/src/a.ts', opened), expected);
  });

  it('refuses everything when the file system fails', async () => {
    const fileSystem = makeFileSystem();
    fileSystem.realPath = () => Promise.reject(new Error('EIO'));
    assert.deepEqual(await guardPath('src/a.ts', { roots, fileSystem }), {
      ok: false,
      error: '"src/a.ts" cannot be used: EIO',
    });
  });

  it('notices that a path leads to another place now', async () => {
    const fileSystem = makeFileSystem();
    const options = { roots, fileSystem };
    const guarded = await guardPath('inside/a.ts', options);
    assert.ok(guarded.ok);
    assert.deepEqual(await guardAgain(guarded.path, options), guarded);
    fileSystem.makeLink('/w/inside', '/etc');
    assert.match(JSON.stringify(await guardAgain(guarded.path, options)), /outside the workspace/);
    fileSystem.makeLink('/w/inside', '.');
    assert.match(JSON.stringify(await guardAgain(guarded.path, options)), /leads to another place/);
  });
});
