import assert from 'node:assert/strict';
import path from 'node:path';
import {
  resolveProgram,
  type ResolveOptions,
  type ResolvedProgram,
} from '../../../../src/workspace/shell/resolveProgram';
import type { FolderDecides } from '../../../../src/workspace/shell/versionManagers';

/** A machine with these executables; a pair is a link and where it leads. */
function resolve(
  name: string,
  files: readonly (string | readonly [string, string])[],
  options: Partial<ResolveOptions> = {},
): Promise<ResolvedProgram> {
  const known = new Map(files.map((file) => (typeof file === 'string' ? [file, file] : file)));
  return resolveProgram(name, {
    shell: 'bash',
    cwd: '/w/sub',
    searchPath: '/usr/local/bin:/usr/bin',
    rootPaths: ['/w'],
    findExecutable: (file) => Promise.resolve(known.get(file)),
    flavour: path.posix,
    ...options,
  });
}

const windows = {
  flavour: path.win32,
  cwd: 'C:\\w',
  rootPaths: ['C:\\w'],
  searchPath: 'C:\\bin',
  extensions: '.EXE;.CMD',
};

describe('resolveProgram', () => {
  it('finds the first program in PATH, with links resolved', async () => {
    assert.deepEqual(await resolve('git', ['/usr/bin/git']), { kind: 'program', path: '/usr/bin/git' });
    assert.deepEqual(await resolve('git', ['/usr/bin/git', ['/usr/local/bin/git', '/opt/git']]), {
      kind: 'program',
      path: '/opt/git',
    });
  });

  it('recognises commands of the shell itself', async () => {
    for (const name of ['echo', 'pwd', 'true']) assert.deepEqual(await resolve(name, []), { kind: 'builtin' });
    assert.deepEqual(await resolve('Get-ChildItem', [], { shell: 'powershell' }), { kind: 'builtin' });
    assert.deepEqual(await resolve('ls', [], { shell: 'powershell' }), { kind: 'builtin' });
  });

  const unsafe: readonly [string, string, Parameters<typeof resolve>[1], Partial<ResolveOptions>, string][] = [
    [
      'a folder of the workspace in PATH',
      'git',
      ['/w/bin/git', '/usr/bin/git'],
      { searchPath: '/w/bin:/usr/bin' },
      '`git` would start /w/bin/git, which is in the workspace',
    ],
    [
      'a link from PATH into the workspace',
      'git',
      [['/usr/bin/git', '/w/git']],
      {},
      '`git` would start /w/git, which is in the workspace',
    ],
    [
      'a link from the workspace in PATH',
      'git',
      [['/w/bin/git', '/usr/bin/git']],
      { searchPath: '/w/bin' },
      '`git` would start /usr/bin/git, which is in the workspace',
    ],
    [
      'a relative folder in PATH',
      'git',
      ['/usr/bin/git'],
      { searchPath: 'bin:/usr/bin' },
      '`git` depends on the current folder: PATH contains "bin"',
    ],
    [
      'an empty folder in PATH',
      'git',
      ['/usr/bin/git'],
      { searchPath: ':/usr/bin' },
      '`git` depends on the current folder: PATH contains ""',
    ],
    ['no PATH', 'git', [], { searchPath: '' }, '`git` depends on the current folder: PATH contains ""'],
    ['a program that is not there', 'gti', [], {}, '`gti` is in no folder of PATH'],
    [
      'the current folder, where cmd looks first',
      'npm',
      ['C:\\w\\npm.CMD', 'C:\\bin\\npm.CMD'],
      { ...windows, shell: 'cmd' },
      '`npm` would start C:\\w\\npm.CMD, which is in the current folder, where cmd looks first',
    ],
    [
      'a folder of the workspace in another case',
      'git',
      ['c:\\W\\git.EXE'],
      { ...windows, shell: 'powershell', searchPath: 'c:\\W' },
      '`git` would start c:\\W\\git.EXE, which is in the workspace',
    ],
  ];
  for (const [what, name, files, options, reason] of unsafe) {
    it(`does not start unasked: ${what}`, async () => {
      const found = await resolve(name, files, options);
      assert.deepEqual([found.kind, found.kind === 'unsafe' && found.reason], ['unsafe', reason]);
    });
  }

  it('ignores the folders of PATH after the program', async () => {
    const found = await resolve('git', ['/usr/bin/git'], { searchPath: '/usr/bin:/w/bin:.:' });
    assert.deepEqual(found, { kind: 'program', path: '/usr/bin/git' });
  });

  it('shows where a name with a folder in it leads', async () => {
    assert.deepEqual(await resolve('./run', ['/w/sub/run']), { kind: 'program', path: '/w/sub/run' });
    assert.deepEqual(await resolve('../run', []), { kind: 'program', path: '/w/run' });
  });

  it('tries the endings of Windows in order', async () => {
    const found = await resolve('npm', ['C:\\bin\\npm.CMD'], { ...windows, shell: 'powershell' });
    assert.deepEqual(found, { kind: 'program', path: 'C:\\bin\\npm.CMD' });
    const named = await resolve('npm.cmd', ['C:\\bin\\npm.cmd'], { ...windows, shell: 'powershell' });
    assert.deepEqual(named, { kind: 'program', path: 'C:\\bin\\npm.cmd' });
  });

  const managed: readonly [string, string, FolderDecides?][] = [
    ['/home/a/.asdf/shims', '/home/a/.asdf/shims/node'],
    ['/home/a/.local/share/mise/shims', '/usr/bin/mise'],
    ['/home/a/.pyenv/shims', '/home/a/.pyenv/shims/node', 'versions'],
    ['/opt/nodenv/shims', '/opt/nodenv/shims/node', 'versions'],
    ['/home/a/.pyenv/shims', '/usr/bin/mise'],
    ['/home/a/.volta/bin', '/home/a/.volta/bin/volta-shim'],
    ['/home/a/.volta/bin', '/home/a/.volta/bin/node'],
    ['/home/a/.local/share/aquaproj-aqua/bin', '/home/a/.local/share/aquaproj-aqua/bin/rg'],
    ['/home/a/.proto/bin', '/home/a/.proto/bin/node'],
    ['/home/a/.local/share/aquaproj-aqua/bin', '/home/a/.local/share/aquaproj-aqua/pkgs/aqua-proxy'],
  ];
  for (const [folder, leadsTo, folderDecides = 'anything'] of managed) {
    it(`knows the version manager of ${folder}, by ${leadsTo}`, async () => {
      const found = await resolve('node', [[`${folder}/node`, leadsTo]], { searchPath: folder });
      assert.deepEqual(found, { kind: 'program', path: leadsTo, folderDecides });
    });
  }

  for (const folder of [
    String.raw`C:\Program Files\Volta`,
    String.raw`C:\Users\a\AppData\Local\Volta\bin`,
    String.raw`C:\Users\a\AppData\Local\aquaproj-aqua\bin`,
    String.raw`C:\Program Files (x86)\Nodist\bin`,
    String.raw`C:\Users\a\AppData\Local\mise\shims`,
  ]) {
    it(`knows a copy of the version manager in ${folder}`, async () => {
      const searchPath = folder;
      const found = await resolve('node', [`${folder}\\node.EXE`], { ...windows, shell: 'powershell', searchPath });
      assert.deepEqual(found, { kind: 'program', path: `${folder}\\node.EXE`, folderDecides: 'anything' });
    });
  }

  it('takes no other program for one of a version manager', async () => {
    for (const place of ['/opt/shimsy/node', '/usr/bin/node', '/home/a/.local/share/mise/installs/node/22/bin/node']) {
      const found = await resolve('node', [place], { searchPath: path.posix.dirname(place) });
      assert.deepEqual(found, { kind: 'program', path: place });
    }
    const searchPath = 'C:\\scoop\\shims';
    const scoop = await resolve('rg', ['C:\\scoop\\shims\\rg.EXE'], { ...windows, shell: 'powershell', searchPath });
    assert.deepEqual(scoop, { kind: 'program', path: 'C:\\scoop\\shims\\rg.EXE' });
  });
});
