import assert from 'node:assert/strict';
import { nameAt, seemsToDeclare, wordPlaces } from '../../../../../src/workspace/tools/navigation/wordPlaces';

describe('nameAt', () => {
  const at = (text: string, line: number, character: number) => {
    const found = nameAt(text.split('\n'), { path: '/a.js', line, character }, 'total');
    return [found.line, found.character];
  };

  it('finds the name after the begin of a declaration', () => {
    assert.deepEqual(at('export function total() {}', 1, 0), [1, 16]);
  });
  it('finds the name before the begin, where a server names the function', () => {
    assert.deepEqual(at('Cart.prototype.total = function () {\n  this.total();', 1, 23), [1, 15]);
  });
  it('finds the name below decorators and comments', () => {
    assert.deepEqual(at('@memo\n/** The sum. */\ntotal() {}', 1, 0), [3, 0]);
  });
  it('takes no part of a longer name', () => {
    assert.deepEqual(at('const subtotal = $total;', 1, 6), [1, 6]);
  });
});

describe('wordPlaces', () => {
  it('begins with the lines that seem to declare the name', () => {
    const lines = ['total();', '// total', 'const total = 1;', 'subtotal();'];
    assert.deepEqual(
      wordPlaces('/a.js', lines, 'total').map(({ line, character }) => [line, character]),
      [
        [3, 6],
        [1, 0],
        [2, 3],
      ],
    );
  });
});

describe('seemsToDeclare', () => {
  for (const line of [
    'def total(self):',
    'fn total() {',
    'exports.total = 1;',
    'Cart.prototype.total = f',
    'class total:',
  ]) {
    it(`says yes to "${line}"`, () => assert.equal(seemsToDeclare(line, 'total'), true));
  }
  for (const line of ['total();', 'return total;', 'const subtotal = 1;', 'function totals() {}']) {
    it(`says no to "${line}"`, () => assert.equal(seemsToDeclare(line, 'total'), false));
  }
});
