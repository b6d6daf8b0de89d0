import assert from 'node:assert/strict';
import path from 'node:path';
import { displayPath, resolveInRoots, withDistinctNames } from '../../../../src/workspace/paths/roots';
import {
  canonical,
  describePlace,
  isVirtualPath,
  virtualPathOf,
  virtualPlaceOf,
} from '../../../../src/workspace/paths/virtualPaths';

const place = { scheme: 'memfs', authority: '', path: '/lib/a b.ts', query: '' };

describe('the paths of virtual files', () => {
  it('convert to the place of a file and back', () => {
    for (const [given, expected] of [
      [place, '/virtual:/memfs+/lib/a b.ts'],
      [{ ...place, authority: 'git+hub/x' }, '/virtual:/memfs+git%2Bhub%2Fx/lib/a b.ts'],
      [{ ...place, query: 'ref=a+b&c' }, '/virtual:/memfs++ref%3Da%2Bb%26c/lib/a b.ts'],
      [{ ...place, path: '/' }, '/virtual:/memfs+'],
    ] as const) {
      assert.equal(virtualPathOf(given), expected);
      assert.deepEqual(virtualPlaceOf(expected), given);
    }
    assert.equal(virtualPathOf({ ...place, path: '/lib/' }), '/virtual:/memfs+/lib');
    assert.equal(virtualPathOf({ ...place, path: '' }), '/virtual:/memfs+');
  });

  it('exist only for unambiguous places', () => {
    for (const given of [
      { ...place, scheme: 'file' },
      { ...place, scheme: '' },
      { ...place, path: 'lib' },
      { ...place, path: '/lib/../x' },
      { ...place, path: '//x' },
      { ...place, path: '/lib/./x' },
      { ...place, path: '/lib\\x' },
      { ...place, path: '/%2e%2e/x' },
      { ...place, path: '/a\nb' },
    ]) {
      assert.equal(virtualPathOf(given), undefined, JSON.stringify(given));
    }
    for (const file of [
      '/w/a.ts',
      '/virtual:/',
      '/virtual:/file+/etc/passwd',
      '/virtual:/memfs',
      '/virtual:/a+b+c+d/x',
    ]) {
      assert.throws(() => virtualPlaceOf(file), file);
    }
  });

  it('survive the path functions of Windows', () => {
    const joined = path.win32.join('/virtual:/memfs+/lib', 'src', 'a.ts');
    for (const file of [joined, path.win32.resolve('C:\\', joined)]) {
      assert.equal(isVirtualPath(file), true, file);
      assert.equal(canonical(file), '/virtual:/memfs+/lib/src/a.ts');
    }
    assert.equal(displayPath(joined, [{ name: 'lib', path: '/virtual:/memfs+/lib' }], path.win32), 'src/a.ts');
  });

  it('are not those of files on disk', () => {
    for (const file of ['/virtual/a', '/w/virtual:/a', 'virtual:/a', '/virtual:x/a', 'C:\\virtual\\a', '']) {
      assert.equal(isVirtualPath(file), false, file);
    }
  });

  it('are shown as URIs', () => {
    assert.equal(describePlace('/virtual:/memfs+/lib'), 'memfs:/lib');
    assert.equal(describePlace('/virtual:/vscode-vfs+github/o/r'), 'vscode-vfs://github/o/r');
    assert.equal(describePlace('/w/a'), '/w/a');
  });
});

describe('workspace folders on disk and virtual', () => {
  const disk = { name: 'app', path: '/w/app' };
  const lib = { name: 'lib', path: '/virtual:/memfs+/lib' };
  const inside = { name: 'inner', path: '/virtual:/memfs+/lib/inner' };

  it('resolve paths by the name of the folder, or in the only one', () => {
    for (const [input, roots, expected] of [
      ['src/a.ts', [lib], '/virtual:/memfs+/lib/src/a.ts'],
      ['./src/../a.ts', [lib], '/virtual:/memfs+/lib/a.ts'],
      ['.', [lib], '/virtual:/memfs+/lib'],
      ['src\\a.ts', [lib], '/virtual:/memfs+/lib/src/a.ts'],
      ['lib/a.ts', [disk, lib], '/virtual:/memfs+/lib/a.ts'],
      ['app/a.ts', [disk, lib], '/w/app/a.ts'],
      ['app/../lib/a.ts', [disk, lib], '/virtual:/memfs+/lib/a.ts'],
      ['lib', [disk, lib], '/virtual:/memfs+/lib'],
      ['.', [lib, disk], '/virtual:/memfs+/lib'],
      ['/virtual:/memfs+/lib/x/../a.ts', [disk, lib], '/virtual:/memfs+/lib/a.ts'],
      ['/w/app/a.ts', [lib], '/w/app/a.ts'],
    ] as const) {
      assert.deepEqual(resolveInRoots(input, roots, path.posix), { ok: true, path: expected }, input);
    }
    assert.deepEqual(resolveInRoots('lib\\src\\a.ts', [disk, lib], path.win32), {
      ok: true,
      path: '/virtual:/memfs+/lib/src/a.ts',
    });
  });

  it('do not let a path leave a virtual folder towards the disk', () => {
    for (const input of [
      '../../../etc/passwd',
      '..',
      'a/../../b',
      '..\\..\\x',
      '/virtual:/../etc/passwd',
      '/virtual:/..',
    ]) {
      assert.equal(resolveInRoots(input, [lib], path.posix).ok, false, input);
      assert.equal(resolveInRoots(input, [lib], path.win32).ok, false, input);
    }
  });

  it('show a path by the nearest folder, and one outside as its URI', () => {
    const roots = [disk, lib, inside];
    assert.equal(displayPath('/virtual:/memfs+/lib/a.ts', roots, path.posix), 'lib/a.ts');
    assert.equal(displayPath('/virtual:/memfs+/lib/inner/a.ts', roots, path.posix), 'inner/a.ts');
    assert.equal(displayPath('/virtual:/memfs+/lib', [lib], path.posix), '.');
    assert.equal(displayPath('/virtual:/memfs+/other/a.ts', roots, path.posix), 'memfs:/other/a.ts');
  });

  it('have names that are one segment of a path, whatever the workspace file says', () => {
    const names = ['my/app', '..', '', '../etc', '~', 'C:', 'a\u202eb', 'lib', ' lib '];
    assert.deepEqual(
      withDistinctNames(names.map((name) => ({ name, path: `/w/${name}` }))).map(({ name }) => name),
      ['my-app', 'folder', 'folder-2', '..-etc', 'folder-3', 'C-', 'a-b', 'lib', 'lib-2'],
    );
  });
});
