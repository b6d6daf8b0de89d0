import assert from 'node:assert/strict';
import { link, symlink } from 'node:fs/promises';
import path from 'node:path';
import { createNodeFileSystem } from '../../../../src/workspace/node/files/nodeFileSystem';
import { findExposedBelow } from '../../../../src/workspace/paths/exposedBelow';
import type { Exposed, FolderReading } from '../../../../src/workspace/paths/folderReading';
import type { DirectoryEntry } from '../../../../src/workspace/ports';
import { isReadingProtected } from '../../../../src/workspace/paths/protectedPaths';
import { createTemporaryFolder } from '../../../support/files/temporaryFolder';

type Files = Readonly<Record<string, string>>;

const RIPGREP: FolderReading = { leavesLinks: true, obeysIgnoreFiles: true };

async function exposed(
  files: Files,
  reading: FolderReading,
  prepare: (top: string) => Promise<void> = () => Promise.resolve(),
): Promise<Exposed | undefined> {
  await using folder = await createTemporaryFolder({ ...files, 'outside.txt': '' });
  const top = path.join(folder.path, 'w');
  await prepare(top);
  const workspace = {
    roots: [{ name: 'w', path: top }],
    fileSystem: createNodeFileSystem(),
    isProtected: isReadingProtected,
  };
  const target = { path: top, realPath: top, displayPath: '.', pathInRoot: '', exists: true };
  return await findExposedBelow(target, reading, workspace);
}

function isProtected(file: string): Exposed {
  return { kind: 'protected', path: file };
}

describe('findExposedBelow', () => {
  const cases: readonly [name: string, files: Files, reading: FolderReading, expected: Exposed | undefined][] = [
    ['finds nothing among ordinary files', { 'w/src/a.ts': '' }, {}, undefined],
    [
      'finds a key in a subfolder',
      { 'w/a.txt': '', 'w/certs/server.key': '' },
      RIPGREP,
      isProtected('certs/server.key'),
    ],
    ['finds a hidden file', { 'w/sub/.env': '' }, {}, isProtected('sub/.env')],
    [
      'leaves hidden files out as ripgrep does',
      { 'w/.env': '', 'w/.ssh/config': '', 'w/a.txt': '' },
      RIPGREP,
      undefined,
    ],
    ['finds what .rgignore brings back', { 'w/.env': '', 'w/.rgignore': '!.env\n' }, RIPGREP, isProtected('.env')],
    ['finds what braces bring back', { 'w/.env': '', 'w/.ignore': '!{.env,x}\n' }, RIPGREP, isProtected('.env')],
    [
      'finds what .git/info/exclude brings back',
      { 'w/.env': '', 'w/.git/info/exclude': '!.env\n' },
      RIPGREP,
      isProtected('.env'),
    ],
    [
      'finds what an ignore file above brings back',
      { 'w/.env': '', '.ignore': '!.env\n' },
      RIPGREP,
      isProtected('.env'),
    ],
    [
      'leaves out a folder that .gitignore names',
      { 'w/.git/HEAD': '', 'w/.gitignore': 'node_modules/\n', 'w/node_modules/a/x.pem': '' },
      RIPGREP,
      undefined,
    ],
    [
      'finds an ignored key outside a repository',
      { 'w/.gitignore': 'node_modules/\n', 'w/node_modules/a/x.pem': '' },
      RIPGREP,
      isProtected('node_modules/a/x.pem'),
    ],
    [
      'finds a key in an ignored folder that is brought back',
      { 'w/.git/HEAD': '', 'w/.gitignore': '/build\n', 'w/.ignore': '!build\n', 'w/build/x.pem': '' },
      RIPGREP,
      isProtected('build/x.pem'),
    ],
    [
      'does not carry rules of .gitignore into another repository',
      { 'w/.git/HEAD': '', 'w/.gitignore': 'build\n', 'w/other/.git/HEAD': '', 'w/other/build/x.pem': '' },
      RIPGREP,
      isProtected('other/build/x.pem'),
    ],
    [
      'accepts configuration of git without secrets',
      { 'w/.git/config': '[core]\nurl = git@host:a/b\n' },
      {},
      undefined,
    ],
    [
      'finds an address with a password',
      { 'w/.git/config': 'url = https://a:b@host/\n' },
      {},
      isProtected('.git/config'),
    ],
    ['finds nothing where only names are shown', { 'w/.env': '' }, { showsNamesOnly: true }, undefined],
    ['leaves out folders', { 'w/certs/a.key': '' }, { leavesFolders: new Set(['certs']) }, undefined],
    ['leaves out files by name', { 'w/a.key': '' }, { readsFile: (name) => name.endsWith('.ts') }, undefined],
  ];
  for (const [name, files, reading, expected] of cases) {
    it(name, async () => assert.deepEqual(await exposed({ 'w/b.txt': '', ...files }, reading), expected));
  }

  it('finds a link that leads outside, if links are followed', async () => {
    const linkOut = (top: string): Promise<void> => symlink('../../outside.txt', path.join(top, 'src/out.txt'));
    assert.deepEqual(await exposed({ 'w/src/a.ts': '' }, {}, linkOut), { kind: 'outside', path: 'src/out.txt' });
    assert.equal(await exposed({ 'w/src/a.ts': '' }, { leavesLinks: true }, linkOut), undefined);
  });

  it('finds a link to a protected file under an ordinary name', async () => {
    const linkIn = (top: string): Promise<void> => symlink('../.ssh/id', path.join(top, 'src/in.txt'));
    const reading: FolderReading = { readsFile: (name) => name === 'in.txt' };
    assert.deepEqual(await exposed({ 'w/.ssh/id': '', 'w/src/a.ts': '' }, reading, linkIn), isProtected('src/in.txt'));
  });

  it('ends in folders that link to each other', async () => {
    const linkUp = (top: string): Promise<void> => symlink('..', path.join(top, 'src/up'));
    assert.equal(await exposed({ 'w/src/a.ts': '' }, {}, linkUp), undefined);
  });

  it('finds a hard link to a protected file', async () => {
    const linkHard = (top: string): Promise<void> => link(path.join(top, '.env'), path.join(top, 'src/hard.ts'));
    assert.deepEqual(await exposed({ 'w/.env': '', 'w/src/a.ts': '' }, RIPGREP, linkHard), isProtected('src/hard.ts'));
  });

  it('says so when there are more than 50,000 entries', async () => {
    const exposedAmong = (count: number): Promise<Exposed | undefined> => {
      const entries = Array.from({ length: count }, (_, index): DirectoryEntry => {
        return { name: `${index}.txt`, kind: 'file', isSymbolicLink: false };
      });
      const fileSystem = { ...createNodeFileSystem(), listDirectory: () => Promise.resolve(entries) };
      const workspace = { roots: [{ name: 'w', path: '/w' }], fileSystem, isProtected: isReadingProtected };
      const target = { path: '/w', realPath: '/w', displayPath: '.', pathInRoot: '', exists: true };
      return findExposedBelow(target, { leavesLinks: true, readsFile: () => false }, workspace);
    };
    assert.equal(await exposedAmong(50_000), undefined);
    assert.deepEqual(await exposedAmong(50_001), { kind: 'too many files' });
  });
});
