import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileNames } from '../../../../../src/workspace/node/files/fileNames';
import type { SetTimer } from '../../../../../src/util/timer';
import { virtualPathOf } from '../../../../../src/workspace/paths/virtualPaths';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('FileNames', () => {
  let folder: TemporaryFolder;
  let now = 0;
  let isImpatient = false;
  const setTimer: SetTimer = (run) => {
    if (isImpatient) queueMicrotask(run);
    return { dispose: () => {} };
  };

  before(async () => {
    folder = await createTemporaryFolder({
      '.gitignore': 'out/\n',
      '.env': 'KEY=1',
      'src/app.ts': '',
      'src/webApp.ts': '',
      'app/index.ts': '',
      'out/app.js': '',
      'node_modules/app/index.js': '',
    });
  });
  after(() => folder.dispose());

  const names = (...more: readonly { name: string; path: string }[]) =>
    new FileNames({ roots: () => [{ name: 'w', path: folder.path }, ...more], now: () => now, setTimer });

  it('finds names by the start of the file name, by its middle, then by the folders', async () => {
    assert.deepEqual(await names().find('APP', 10), ['src/app.ts', 'src/webApp.ts', 'app/index.ts']);
    assert.deepEqual(await names().find('app', 1), ['src/app.ts']);
    assert.deepEqual(await names().find('src/w', 10), ['src/webApp.ts']);
    assert.deepEqual(await names().find('xyz', 10), []);
  });

  it('leaves out ignored files and files that may hold secrets', async () => {
    assert.deepEqual(await names().find('', 10), ['.gitignore', 'src/app.ts', 'app/index.ts', 'src/webApp.ts']);
    assert.deepEqual(await names().find('env', 10), []);
  });

  it('starts names with the folder if there are several, and skips virtual folders', async () => {
    const virtual = { name: 'v', path: virtualPathOf({ scheme: 'memfs', authority: '', path: '/', query: '' }) ?? '' };
    assert.deepEqual(await names(virtual).find('webapp', 10), ['w/src/webApp.ts']);
  });

  it('lists virtual folders where it can read them, for a minute', async () => {
    const path = virtualPathOf({ scheme: 'memfs', authority: '', path: '/', query: '' }) ?? '';
    const folders: Readonly<Record<string, readonly string[]>> = {
      [path]: ['src/', '.env'],
      [`${path}/src`]: ['app.ts'],
    };
    let calls = 0;
    const virtualFiles = {
      stat: async () => undefined,
      openText: () => Promise.reject(new Error('nothing is opened')),
      listDirectory: async (folder: string) => {
        calls += 1;
        return (folders[folder.replace(/\/$/, '')] ?? folders[folder] ?? []).map((name) => ({
          name: name.replace('/', ''),
          kind: name.endsWith('/') ? ('directory' as const) : ('file' as const),
          isSymbolicLink: false,
        }));
      },
    };
    const listed = new FileNames({ roots: () => [{ name: 'v', path }], virtualFiles, now: () => now, setTimer });
    assert.deepEqual(await listed.find('', 10), ['src/app.ts']);
    now += 59_000;
    const before = calls;
    await listed.find('app', 10);
    assert.equal(calls, before);
    now += 2_000;
    await listed.find('app', 10);
    assert.equal(calls, 2 * before);
  });

  it('tells what it knows while it lists, and ends an older question', async () => {
    now += 20_000;
    const found = names();
    await found.all();
    now += 20_000;
    // Each wait is over at once.
    isImpatient = true;
    const older = found.search('app', 1);
    assert.deepEqual((await older.next()).value, { names: ['src/app.ts'], isPartial: true });
    isImpatient = false;
    const newer = found.search('web', 1);
    assert.deepEqual(
      [(await newer.next()).value, (await newer.next()).done, (await older.next()).done],
      [{ names: ['src/webApp.ts'], isPartial: false }, true, true],
    );
  });

  it('lists the names again after ten seconds', async () => {
    const found = names();
    assert.deepEqual(await found.find('new', 10), []);
    await writeFile(path.join(folder.path, 'new.ts'), '');
    assert.deepEqual(await found.find('new', 10), []);
    now += 10_001;
    assert.deepEqual(await found.find('new', 10), ['new.ts']);
    await rm(path.join(folder.path, 'new.ts'));
  });
});
