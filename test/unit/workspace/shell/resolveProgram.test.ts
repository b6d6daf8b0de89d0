import assert from 'node:assert/strict';
import path from 'node:path';
import {
  resolveProgram,
  type ResolveOptions,
  type ResolvedProgram,
} from '../../../../src/workspace/shell/resolveProgram';

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
    ['a program that is not there', 'gti', [], {}, 'no program `gti` is in the folders of PATH'],
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
});
