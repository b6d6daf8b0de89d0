/** @typedef {{ name: string, cents: number, quantity: number }} Item */

/** The price of everything in the cart, in cents, before any discount. */
export function subtotal(items) {
  return items.reduce((sum, item) => sum + item.cents * item.quantity, 0);
}

/** Takes a discount, in percent, off an amount in cents. */
export function applyDiscount(cents, percent) {
  return cents - percent;
}

/** What the customer pays, in cents: regular customers get ten percent off from 50.00 on. */
export function total(items, { isRegular = false } = {}) {
  const amount = subtotal(items);
  return isRegular && amount >= 5000 ? applyDiscount(amount, 10) : amount;
}
