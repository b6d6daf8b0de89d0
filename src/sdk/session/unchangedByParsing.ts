import type * as z from 'zod';
import { isJsonObject, isTooDeep, MAX_VALUE_LEVELS } from '../../util/json';

type Guard = (value: unknown) => boolean;
type Shape = Readonly<Record<string, z.core.$ZodType>>;

interface Field {
  readonly key: string;
  readonly guard: Guard;
  readonly isRequired: boolean;
}

/**
 * A fast check that is derived from a schema: where it says yes, the schema accepts the value and changes nothing in it, so
 * the value itself is the result. It says no to all else, to values that nest deeper than any real data, and to schemas that it
 * does not know: then the schema decides. For objects out of `JSON.parse`. Keys in `checked` are checked elsewhere.
 */
export function unchangedByParsing(shape: Shape, checked: ReadonlySet<string>): Guard {
  const fields = new Map<string, Field>();
  for (const [key, schema] of Object.entries(shape))
    fields.set(key, { key, guard: guardOf(schema), isRequired: schema._zod.optin !== 'optional' });
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  for (const key of checked) if (!fields.has(key)) fields.set(key, { key, guard: ALWAYS, isRequired: false });
  // Most objects have their keys in the order of the object before, and comparing is faster than looking up.
  const before: Field[] = [];
  return (value) => {
    if (!isJsonObject(value)) return false;
    let found = 0;
    let place = 0;
    for (const key in value) {
      let field = before[place];
      if (field?.key !== key) {
        field = fields.get(key);
        // The schema would leave out a key that it does not know.
        if (!field) return false;
        before[place] = field;
      }
      if (!field.guard(value[key])) return false;
      if (field.isRequired) found += 1;
      place += 1;
    }
    return found === required;
  };
}

const NONE: ReadonlySet<string> = new Set();

function guardOf(schema: z.core.$ZodType): Guard {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ((def.checks?.length ?? 0) > 0) return NEVER;
  switch (def.type) {
    case 'string':
      return 'format' in def ? NEVER : (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'number':
      return 'format' in def ? NEVER : (value) => Number.isFinite(value);
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'nullable': {
      const inner = guardOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'optional':
    case 'readonly':
      return guardOf(def.innerType);
    case 'array': {
      const element = guardOf(def.element);
      return (value) => Array.isArray(value) && value.every(element);
    }
    case 'object':
      return unchangedByParsing(def.shape, NONE);
    case 'union': {
      const guards = def.options.map(guardOf);
      return 'discriminator' in def ? (value) => guards.some((guard) => guard(value)) : NEVER;
    }
    case 'custom':
      return (value) => def.fn(value) === true && !isTooDeep(value, MAX_VALUE_LEVELS);
    default:
      return NEVER;
  }
}

const NEVER: Guard = () => false;
const ALWAYS: Guard = () => true;

function oneOf(values: readonly unknown[]): Guard {
  const known = new Set(values);
  return (value) => known.has(value);
}
