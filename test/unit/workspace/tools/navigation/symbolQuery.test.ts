import assert from 'node:assert/strict';
import { parseFind, parseSymbol } from '../../../../../src/workspace/tools/navigation/symbolQuery';

describe('parseSymbol', () => {
  const cases: readonly (readonly [input: string, ...expected: (string | undefined)[]])[] = [
    ['subtotal', 'subtotal', undefined, undefined],
    ['`subtotal()`', 'subtotal', undefined, undefined],
    ['Cart.total(items: Item[])', 'total', 'Cart', undefined],
    ['Cart#total', 'total', 'Cart', undefined],
    ['shop::Cart::total', 'total', 'Cart', undefined],
    ['this.total', 'total', undefined, undefined],
    ['subtotal in src/cart.js', 'subtotal', undefined, 'src/cart.js'],
    ['Cart.total in file "src/other name.ts"', 'total', 'Cart', 'src/other name.ts'],
    ['', '', undefined, undefined],
  ];
  for (const [input, ...expected] of cases) {
    it(`reads "${input}"`, () => {
      const { name, container, file } = parseSymbol(input);
      assert.deepEqual([name, container, file], expected);
    });
  }
});

describe('parseFind', () => {
  const cases: readonly (readonly [input: string, expected: ReturnType<typeof parseFind>])[] = [
    ['', 'references'],
    ['find_references', 'references'],
    ['usages', 'references'],
    ['go to definition', 'definition'],
    ['declaration', 'definition'],
    ['implementations', 'implementations'],
    ['incoming_calls', 'callers'],
    ['document symbols', 'symbols'],
    ['signature', 'hover'],
    ['types', 'types'],
    ['type hierarchy', 'types'],
    ['subclasses', 'types'],
    ['type', 'hover'],
    ['type definition', 'hover'],
    ['colour', undefined],
  ];
  for (const [input, expected] of cases) {
    it(`takes "${input}" for ${expected ?? 'nothing'}`, () => assert.equal(parseFind(input), expected));
  }
});
