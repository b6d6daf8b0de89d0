import type { Hash } from 'node:crypto';

/** A hash to fill. Node takes 3 ms to load its cryptography, so the first hash does it and not an import. */
export function newSha256(): Hash {
  return process.getBuiltinModule('node:crypto').createHash('sha256');
}
