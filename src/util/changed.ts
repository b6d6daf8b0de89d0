/**
 * As `{ ...object, ...changes }`. In Node 20 that takes ten times as long where a change adds a property: each such copy
 * gets a hidden class of its own.
 */
export function changed<T extends object>(object: T, changes: Partial<T>): T {
  return Object.assign({}, object, changes);
}
