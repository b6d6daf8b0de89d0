import { ignoreOverride, zodToJsonSchema } from 'zod-to-json-schema';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';

interface Zod3Type {
  readonly _def: {
    readonly typeName: string;
    readonly coerce?: boolean | undefined;
    readonly description?: string | undefined;
    readonly innerType?: Zod3Type | undefined;
  };
}

/** A type of zod 3, which newer releases export as `zod/v3`. */
export function isZod3(value: object): value is Zod3Type {
  const { _def: definition } = value as Partial<Zod3Type>;
  return (
    typeof definition === 'object' && typeof definition.typeName === 'string' && definition.typeName.startsWith('Zod')
  );
}

/** No JSON value is one of these. */
const unrepresentable = new Set([
  'ZodBigInt',
  'ZodDate',
  'ZodFunction',
  'ZodMap',
  'ZodNaN',
  'ZodPromise',
  'ZodSet',
  'ZodSymbol',
]);

/** The JSON Schema of a zod 3 type's input. Throws for a type that no JSON value matches. */
export function describeZod3(type: Zod3Type): JsonObject {
  const { typeName, innerType, description } = type._def;
  if (typeName === 'ZodOptional' && innerType) {
    return { ...describeZod3(innerType), ...(description !== undefined && { description }) };
  }
  const withReferences = convert(type, 'root');
  return refersToItself(withReferences) ? withReferences : convert(type, 'none');
}

function convert(type: Zod3Type, references: 'root' | 'none'): JsonObject {
  const described = zodToJsonSchema(type as unknown as Parameters<typeof zodToJsonSchema>[0], {
    $refStrategy: references,
    target: 'jsonSchema7',
    removeAdditionalStrategy: 'strict',
    override: (definition) => {
      const { typeName, coerce } = definition as unknown as Zod3Type['_def'];
      if (unrepresentable.has(typeName) && coerce !== true) throw new Error(`${typeName} has no JSON Schema form`);
      return ignoreOverride;
    },
  });
  return withoutAnythingGoes(described as JsonObject) as JsonObject;
}

/** Drops `additionalProperties: true`, which is the default. */
function withoutAnythingGoes(part: JsonValue): JsonValue {
  if (Array.isArray(part)) return part.map((each: JsonValue) => withoutAnythingGoes(each));
  if (!isJsonObject(part)) return part;
  const kept = Object.entries(part).filter(
    ([key, value]) => !(key === 'additionalProperties' && value === true && part['type'] === 'object'),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutAnythingGoes(value)]));
}

/** Whether a part refers to a schema around it. Other references only save text, and models read them badly. */
function refersToItself(part: JsonValue, place = '#'): boolean {
  if (Array.isArray(part)) return part.some((each: JsonValue, index) => refersToItself(each, `${place}/${index}`));
  if (!isJsonObject(part)) return false;
  const { $ref: target } = part;
  if (typeof target === 'string' && `${place}/`.startsWith(`${target.replace(/\/$/, '')}/`)) return true;
  return Object.entries(part).some(([key, value]) => refersToItself(value, `${place}/${key}`));
}
