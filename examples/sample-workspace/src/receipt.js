import { subtotal, total } from './cart.js';

/** Cents as people write them: 1250 becomes "12.50". */
export function formatCents(cents) {
  return (cents / 100).toFixed(2);
}

/** The receipt, one line an item, with the discount on a line of its own when there is one. */
export function receipt(items, customer) {
  const lines = items.map((item) => `${item.quantity} x ${item.name}  ${formatCents(item.cents * item.quantity)}`);
  const discount = subtotal(items) - total(items, customer);
  if (discount > 0) lines.push(`Discount  -${formatCents(discount)}`);
  lines.push(`Total  ${formatCents(total(items, customer))}`);
  return lines.join('\n');
}

const basket = [
  { name: 'Tea', cents: 1250, quantity: 4 },
  { name: 'Honey', cents: 795, quantity: 1 },
];

if (process.argv[1]?.endsWith('receipt.js')) console.log(receipt(basket, { isRegular: true }));
