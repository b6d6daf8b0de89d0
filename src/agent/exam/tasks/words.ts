/** Words that tasks make names of. */
export const verbs = [
  'count',
  'find',
  'merge',
  'pick',
  'read',
  'scale',
  'send',
  'sort',
  'split',
  'sum',
  'trim',
  'weigh',
];
export const nouns = [
  'bill',
  'box',
  'cart',
  'coin',
  'crate',
  'label',
  'order',
  'parcel',
  'price',
  'stock',
  'token',
  'tray',
];
/** Names of modules. */
export const modules = [
  'basket',
  'counter',
  'depot',
  'gate',
  'ledger',
  'market',
  'office',
  'panel',
  'queue',
  'register',
];
