import assert from 'node:assert/strict';
import { findSymbolPlace, isSymbolName } from '../../../../../src/workspace/tools/navigation/symbolPlaces';
import type { CodeSymbol } from '../../../../../src/workspace/codeNavigation';
import { fakeNavigation } from '../../../../support/fakeNavigation';
import { MemoryFileSystem } from '../../../../support/files/memoryFileSystem';

describe('findSymbolPlace', () => {
  const files = {
    '/w/src/cart.js': 'const one = 1;\nfunction applyDiscount() {}\nfunction twice() {}\n',
    '/w/src/price.js': 'function twice() {}\nfunction applyDiscountTwice() {}\n',
    '/w/dist/cart.js': 'function applyDiscount() {}\nfunction built() {}\n',
    '/w/.env': 'SECRET=1\n',
    '/etc/lib.js': 'function outside() {}\n',
  };
  const fileSystem = new MemoryFileSystem(files);
  const listNames = async () => ['src/cart.js', 'src/price.js'];
  const finding = { roots: [{ name: 'w', path: '/w' }], fileSystem, listNames };
  const { signal } = new AbortController();
  const find = (name: string, navigation = fakeNavigation({ files })) =>
    findSymbolPlace(name, { ...finding, navigation }, { signal });

  it('finds the one declaration in a listed file', async () => {
    assert.deepEqual(await find('applyDiscount'), { name: 'applyDiscount', path: 'src/cart.js', line: 2 });
  });

  it('finds nothing that is not there, at several places, ignored, secret or outside', async () => {
    for (const name of ['applyDisc', 'twice', 'built', 'SECRET', 'outside', 'Cart.gone'])
      assert.equal(await find(name), undefined, name);
  });

  it('prefers a declaration to imports and properties of the same name', async () => {
    const at = (kind: string, path: string, line: number): CodeSymbol => ({
      name: 'total()',
      kind,
      path,
      line,
      character: 0,
    });
    const symbols = [at('variable', '/w/src/price.js', 1), at('function', '/w/src/cart.js', 3)];
    const navigation = { ...fakeNavigation(), findSymbols: async () => symbols };
    assert.deepEqual(await find('total', navigation), { name: 'total', path: 'src/cart.js', line: 3 });
  });

  it('finds nothing behind a link that leads outside', async () => {
    fileSystem.makeLink('/w/src/linked.js', '/etc/lib.js');
    const navigation = fakeNavigation({ files: { '/w/src/linked.js': 'function outside() {}' } });
    const listed = { ...finding, navigation, listNames: async () => ['src/linked.js'] };
    assert.equal(await findSymbolPlace('outside', listed, { signal }), undefined);
  });

  it('takes names of symbols only', () => {
    const names = [
      'applyDiscount',
      'Cart.total',
      'a::b::c',
      '$el',
      'größe',
      'ab',
      'a b',
      'a.b.c.d.e',
      '../x',
      'a()',
      '1ab',
    ];
    assert.deepEqual(names.filter(isSymbolName), names.slice(0, 5));
  });
});
