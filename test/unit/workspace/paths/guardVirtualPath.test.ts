import assert from 'node:assert/strict';
import { guardAgain, guardPath } from '../../../../src/workspace/paths/guardPath';
import type { FileStat } from '../../../../src/workspace/ports';
import { isReadingProtected, protectionOf } from '../../../../src/workspace/paths/protectedPaths';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

const lib = { name: 'lib', path: '/virtual:/memfs+/lib' };
const app = { name: 'app', path: '/w/app' };

/** Takes names for the same that differ in case, are encoded or go on after a question mark, as sloppy programs do. */
class SloppyFileSystem extends MemoryFileSystem {
  override stat(file: string): Promise<FileStat | undefined> {
    return super.stat(decodeURIComponent(file.replace(/\?.*$/, '')).toLowerCase());
  }
}

describe('guardVirtualPath', () => {
  function makeFileSystem(): MemoryFileSystem {
    const fileSystem = new SloppyFileSystem({
      '/virtual:/memfs+/lib/src/a.ts': 'a',
      '/virtual:/memfs+/lib/.env': 'SECRET=1',
      '/virtual:/memfs+/lib/caf\u0065\u0301.md': 'accents',
      '/virtual:/memfs+/secret.txt': 'beside the folder',
      '/w/app/b.ts': 'b',
      '/etc/passwd': 'root',
    });
    fileSystem.makeLink('/virtual:/memfs+/lib/link.ts', 'src/a.ts');
    fileSystem.makeLink('/virtual:/memfs+/lib/linked', '/etc');
    fileSystem.makeSpecial('/virtual:/memfs+/lib/pipe');
    return fileSystem;
  }

  const guard = (input: string, roots = [lib], platform: NodeJS.Platform = 'linux') =>
    guardPath(input, { roots, fileSystem: makeFileSystem(), outside: 'mark', platform });

  const refusal = async (input: string, roots = [lib]): Promise<string> => {
    const guarded = await guard(input, roots);
    return guarded.ok ? `allowed: ${guarded.path.path}` : guarded.error;
  };

  it('accepts listed paths, and paths that do not exist yet', async () => {
    const found = {
      path: '/virtual:/memfs+/lib/src/a.ts',
      realPath: '/virtual:/memfs+/lib/src/a.ts',
      displayPath: 'src/a.ts',
      pathInRoot: 'src/a.ts',
      exists: true,
    };
    for (const input of ['src/a.ts', './src//a.ts', 'x/../src/a.ts', 'src\\a.ts', '/virtual:/memfs+/lib/src/a.ts']) {
      assert.deepEqual(await guard(input), { ok: true, path: found }, input);
      assert.deepEqual(await guard(input, [lib], 'win32'), { ok: true, path: found }, input);
    }
    assert.deepEqual(await guard('new/deep/b.ts'), {
      ok: true,
      path: {
        path: '/virtual:/memfs+/lib/new/deep/b.ts',
        realPath: '/virtual:/memfs+/lib/new/deep/b.ts',
        displayPath: 'new/deep/b.ts',
        pathInRoot: 'new/deep/b.ts',
        exists: false,
      },
    });
    assert.deepEqual(await guard('.'), {
      ok: true,
      path: { path: lib.path, realPath: lib.path, displayPath: '.', pathInRoot: '', exists: true },
    });
  });

  it('finds a name by any composition of its accents, and uses the listed spelling', async () => {
    const guarded = await guard('caf\u00e9.md');
    assert.equal(guarded.ok && guarded.path.displayPath, 'caf\u0065\u0301.md');
  });

  it('refuses paths that lead out of the folder, without a question', async () => {
    for (const input of [
      '../secret.txt',
      'src/../../secret.txt',
      '..',
      '../../../etc/passwd',
      '..\\secret.txt',
      '/virtual:/memfs+/secret.txt',
      '/virtual:/memfs+/lib/../secret.txt',
      '/virtual:/file+/etc/passwd',
      '/virtual:/other+/lib/src/a.ts',
      '/virtual:/memfs+/lib2/x',
      '/virtual:',
    ]) {
      assert.match(await refusal(input), /outside the workspace|leads out of|not a valid path/, input);
    }
    for (const input of ['memfs:///lib/src/a.ts', 'file:///etc/passwd', 'vscode-vfs://github/x']) {
      assert.match(await refusal(input), /is a URI/, input);
    }
  });

  it('refuses all links', async () => {
    for (const input of ['link.ts', 'linked/passwd', 'linked']) assert.match(await refusal(input), /a link/, input);
    assert.match(await refusal('pipe'), /device, pipe or socket/);
  });

  it('refuses a link that only its own stat shows', async () => {
    const fileSystem = makeFileSystem();
    const plain = fileSystem.stat.bind(fileSystem);
    fileSystem.stat = async (file) => {
      const stat = await plain(file);
      return stat && file.endsWith('/src') ? { ...stat, isSymbolicLink: true } : stat;
    };
    const guarded = await guardPath('src/a.ts', { roots: [lib], fileSystem });
    assert.match(guarded.ok ? 'allowed' : guarded.error, /a link/);
  });

  it('refuses another spelling of an existing name', async () => {
    for (const input of ['.ENV', 'SRC/a.ts', 'src/A.ts'])
      assert.match(await refusal(input), /under another name/, input);
    for (const input of ['%2eenv', 'src%2fa.ts', '%2e%2e/secret.txt', '..%2fsecret.txt', '%252e%252e/x']) {
      assert.match(await refusal(input), /encoded character/, input);
    }
    assert.match(await refusal('.env?x'), /not every file system keeps/);
  });

  it('refuses new names that other programs could read as other names', async () => {
    for (const input of [
      'package.json ',
      'package.json.',
      'src /a.ts',
      'package\u200b.json',
      'a\u202etxt.exe',
      'src\u2215b.ts',
      'new#1.ts',
      'a:b',
      'new/a*b',
      '.../x',
      'cafe\u0301.ts',
    ]) {
      assert.match(await refusal(input), /character|dot or a blank|dots only/, input);
    }
    for (const input of ['a\0b', 'a\nb', '', ' ', 'x'.repeat(5000)]) {
      assert.match(await refusal(input), /control characters|empty|too long/, JSON.stringify(input.slice(0, 9)));
    }
  });

  it('refuses paths below a file', async () => {
    assert.match(await refusal('src/a.ts/b'), /is a file, so there is nothing below it/);
  });

  it('finds protected names as on disk', async () => {
    const env = await guard('.env');
    assert.ok(env.ok && isReadingProtected(env.path));
    for (const [input, tier] of [
      ['.vscode/settings.json', 1],
      ['.git/hooks/pre-commit', 1],
      ['package.json', 2],
      ['src/a.ts', undefined],
    ] as const) {
      const guarded = await guard(input);
      assert.equal(guarded.ok && protectionOf(guarded.path), tier, input);
    }
  });

  it('works beside a folder on disk, by the folder’s name', async () => {
    const both = [app, lib];
    for (const [input, path, displayPath] of [
      ['lib/src/a.ts', '/virtual:/memfs+/lib/src/a.ts', 'lib/src/a.ts'],
      ['app/b.ts', '/w/app/b.ts', 'app/b.ts'],
    ] as const) {
      const guarded = await guard(input, both);
      assert.deepEqual(guarded.ok && { path: guarded.path.path, displayPath: guarded.path.displayPath }, {
        path,
        displayPath,
      });
    }
    assert.match(await refusal('lib/../../secret.txt', both), /folder's name/);
    assert.match(await refusal('/virtual:/memfs+/secret.txt', both), /outside the workspace/);
    assert.match(await refusal('a.ts', both), /must start with a workspace folder's name: app, lib/);
  });

  it('never asks the disk about a virtual path behind a link', async () => {
    const fileSystem = makeFileSystem();
    fileSystem.makeLink('/w/app/out', '/virtual:/memfs+/secret.txt');
    const guarded = await guardPath('out', { roots: [app], fileSystem, outside: 'mark' });
    assert.match(guarded.ok ? 'allowed' : guarded.error, /belongs to the devices or processes/);
  });

  it('never asks a virtual folder about a path on disk', async () => {
    const fileSystem = makeFileSystem();
    const realPath = fileSystem.realPath.bind(fileSystem);
    fileSystem.realPath = (file) =>
      file.startsWith('/virtual:') ? Promise.reject(new Error('offline')) : realPath(file);
    const guarded = await guardPath('app/b.ts', { roots: [app, lib], fileSystem });
    assert.equal(guarded.ok && guarded.path.realPath, '/w/app/b.ts');
  });

  it('refuses a path if the file system fails', async () => {
    const fileSystem = makeFileSystem();
    fileSystem.listDirectory = () => Promise.reject(new Error('offline'));
    const guarded = await guardPath('src/a.ts', { roots: [lib], fileSystem });
    assert.deepEqual(guarded, { ok: false, error: '"src/a.ts" cannot be used: offline' });
    const gone = await guardPath('a', { roots: [lib], fileSystem: new MemoryFileSystem() });
    assert.deepEqual(gone, { ok: false, error: 'The workspace folder lib cannot be reached.' });
  });

  it('notices that a file became a link after the check', async () => {
    const fileSystem = makeFileSystem();
    const options = { roots: [lib], fileSystem };
    const guarded = await guardPath('src/a.ts', options);
    assert.ok(guarded.ok);
    assert.deepEqual(await guardAgain(guarded.path, options), guarded);
    fileSystem.remove('/virtual:/memfs+/lib/src/a.ts');
    assert.match(JSON.stringify(await guardAgain(guarded.path, options)), /does not exist any more/);
    fileSystem.makeLink('/virtual:/memfs+/lib/src/a.ts', '/etc/passwd');
    assert.match(JSON.stringify(await guardAgain(guarded.path, options)), /a link/);
  });
});
