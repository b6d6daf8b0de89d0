import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDiscount, subtotal, total } from '../src/cart.js';
import { receipt } from '../src/receipt.js';

const tea = { name: 'Tea', cents: 1250, quantity: 4 };
const honey = { name: 'Honey', cents: 795, quantity: 1 };

test('adds up the items', () => {
  assert.equal(subtotal([tea, honey]), 5795);
  assert.equal(subtotal([]), 0);
});

test('takes a percentage off, not an amount', () => {
  assert.equal(applyDiscount(5000, 10), 4500);
  assert.equal(applyDiscount(999, 0), 999);
});

test('gives regular customers ten percent off from 50.00 on', () => {
  assert.equal(total([tea], { isRegular: true }), 4500);
  assert.equal(total([honey], { isRegular: true }), 795);
  assert.equal(total([tea]), 5000);
});

test('prints a receipt', () => {
  assert.equal(receipt([honey]), '1 x Honey  7.95\nTotal  7.95');
});
