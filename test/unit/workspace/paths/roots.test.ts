import assert from 'node:assert/strict';
import path from 'node:path';
import { displayPath, isInside, resolveInRoots, withDistinctNames } from '../../../../src/workspace/paths/roots';

const { posix, win32 } = path;
const one = [{ name: 'app', path: '/w/app' }];
const two = [...one, { name: 'lib', path: '/w/lib' }];

describe('workspace folders', () => {
  it('resolves paths in the only folder', () => {
    for (const [input, expected] of [
      ['src/a.ts', '/w/app/src/a.ts'],
      ['./src/../a.ts', '/w/app/a.ts'],
      ['.', '/w/app'],
      ['/etc/passwd', '/etc/passwd'],
      ['../lib/a.ts', '/w/lib/a.ts'],
    ] as const) {
      assert.deepEqual(resolveInRoots(input, one, posix), { ok: true, path: expected });
    }
  });

  it('reads the first part of a path as the name of one of several folders', () => {
    assert.deepEqual(resolveInRoots('lib/a.ts', two, posix), { ok: true, path: '/w/lib/a.ts' });
    assert.deepEqual(resolveInRoots('./lib', two, posix), { ok: true, path: '/w/lib' });
    assert.deepEqual(resolveInRoots('.', two, posix), { ok: true, path: '/w/app' });
    assert.deepEqual(resolveInRoots('a.ts', two, posix), {
      ok: false,
      error: `"a.ts" must start with a workspace folder's name: app, lib.`,
    });
  });

  it('reports that no folder is open', () => {
    const resolved = resolveInRoots('a.ts', [], posix);
    assert.equal(resolved.ok, false);
  });

  it('shows paths relative to their folder', () => {
    assert.equal(displayPath('/w/app/src/a.ts', one, posix), 'src/a.ts');
    assert.equal(displayPath('/w/app', one, posix), '.');
    assert.equal(displayPath('/w/lib/a.ts', two, posix), 'lib/a.ts');
    assert.equal(displayPath('/w/lib', two, posix), 'lib');
    assert.equal(displayPath('/etc/passwd', two, posix), '/etc/passwd');
    assert.equal(displayPath('C:\\w\\src\\a.ts', [{ name: 'w', path: 'C:\\w' }], win32), 'src/a.ts');
  });

  it('shows a path in nested folders by the inner folder', () => {
    const nested = [...one, { name: 'web', path: '/w/app/web' }];
    assert.equal(displayPath('/w/app/web/a.ts', nested, posix), 'web/a.ts');
  });

  it('distinguishes inside from beside', () => {
    assert.equal(isInside('/w/app', '/w/app', posix), true);
    assert.equal(isInside('/w/app/..a', '/w/app', posix), true);
    assert.equal(isInside('/w/app2', '/w/app', posix), false);
    assert.equal(isInside('/w', '/w/app', posix), false);
    assert.equal(isInside('/w/APP/a', '/w/app', posix), false);
    assert.equal(isInside('c:\\W\\SRC\\a.ts', 'C:\\w', win32), true);
    assert.equal(isInside('C:\\w2\\a.ts', 'C:\\w', win32), false);
    assert.equal(isInside('D:\\w\\a.ts', 'C:\\w', win32), false);
  });

  it('gives folders with the same name distinct names', () => {
    const roots = ['/a/app', '/b/app', '/c/app'].map((folder) => ({ name: 'app', path: folder }));
    assert.deepEqual(
      withDistinctNames(roots).map(({ name }) => name),
      ['app', 'app-2', 'app-3'],
    );
  });
});
