import type { JsonValue } from '../../util/json';

const MAX_DEPTH = 100;

/**
 * A copy of a value that is JSON already: no class, function, cycle, accessor or number without a JSON form. Fields that
 * are `undefined` are left out. Throws an `Error` that says what is wrong, also when the value has more than `maxSize`
 * characters and values, or is nested more than 100 levels deep.
 */
export function plainJson(value: unknown, maxSize: number): JsonValue {
  let size = 0;
  const spend = (amount: number): void => {
    size += amount;
    if (size > maxSize) throw new Error(`it has more than ${maxSize} characters`);
  };
  const copy = (item: unknown, depth: number): JsonValue => {
    spend(1);
    if (item === null || typeof item === 'boolean') return item;
    if (typeof item === 'string') {
      spend(item.length);
      return item;
    }
    if (typeof item === 'number') {
      if (!Number.isFinite(item)) throw new Error(`it holds the number ${item}`);
      return item;
    }
    if (typeof item !== 'object') throw new Error(`it holds a value of type ${typeof item}`);
    if (depth >= MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
    if (Array.isArray(item)) return Array.from(item, (each: unknown) => copy(each, depth + 1));
    assertPlain(item);
    const fields: [string, JsonValue][] = [];
    for (const [key, each] of Object.entries<unknown>({ ...item })) {
      spend(key.length);
      if (each !== undefined) fields.push([key, copy(each, depth + 1)]);
    }
    return Object.fromEntries(fields);
  };
  return copy(value, 0);
}

function assertPlain(item: object): void {
  const prototype: unknown = Object.getPrototypeOf(item);
  if (prototype !== Object.prototype && prototype !== null) throw new Error('it holds an object of a class');
  for (const key of Reflect.ownKeys(item)) {
    const field = Object.getOwnPropertyDescriptor(item, key);
    if (typeof key === 'symbol' || !field?.enumerable || !('value' in field)) {
      throw new Error(`it holds the field ${String(key)}, which JSON cannot hold`);
    }
  }
}

/** JSON that does not depend on the order of keys. */
export function stableJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
