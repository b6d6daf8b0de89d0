import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import { isPlainObject } from './shortForm';
import { describeZod3, isZod3 } from './zod3';
import type { StandardSchema } from './standardSchema';

/**
 * The JSON Schema of a schema's input, in as few tokens as possible. Throws for a schema without a JSON Schema form; the
 * message is the end of a sentence.
 *
 * The library of the schema makes it where it can (Standard JSON Schema). Only zod before 4.2 cannot: its schemas are read
 * here, with the descriptions that the caller's copy of zod holds.
 */
export function describeSchema(schema: StandardSchema): JsonObject {
  const { vendor } = schema['~standard'];
  const { jsonSchema: own } = schema['~standard'] as { readonly jsonSchema?: { readonly input?: unknown } };
  if (typeof own?.input === 'function') {
    const described: unknown = own.input({ target: 'draft-2020-12' });
    if (!isPlainObject(described)) throw new Error(`a schema of ${vendor} whose JSON Schema is no object`);
    return tidied(described as JsonObject);
  }
  if (isZod4(schema)) return tidied(describeZod4(schema));
  if (isZod3(schema)) return tidied(describeZod3(schema));
  throw new Error(
    `a schema of ${vendor} that gives no JSON Schema${vendor === 'valibot' ? '; use toStandardJsonSchema of @valibot/to-json-schema' : ''}`,
  );
}

/** Whether the argument may be left out. */
export function isOptional(schema: StandardSchema): boolean {
  if (isZod4(schema)) return schema._zod.optin !== undefined;
  try {
    const result = schema['~standard'].validate(undefined);
    if (result instanceof Promise) result.catch(() => {});
    return !(result instanceof Promise) && result.issues === undefined;
  } catch {
    return false;
  }
}

/** A type of this or another copy of zod 4. */
function isZod4(schema: object): schema is z.ZodType {
  return '_zod' in schema;
}

function describeZod4(schema: z.ZodType): JsonObject {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Another copy of zod keeps descriptions in a registry of its own, which only its types can ask.
      const { id: _id, ...meta }: { readonly id?: unknown } =
        (zodSchema as { readonly meta?: () => object | undefined }).meta?.() ?? {};
      Object.assign(jsonSchema, meta);
    },
  }) as JsonObject;
}

const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const literalValues = new Set(['default', 'const', 'enum', 'examples', 'required']);

/** Drops what tells a model nothing: the dialect, and the safe-integer range that zod writes into every integer. */
function tidied(schema: JsonObject): JsonObject {
  const { $schema: _dialect, ...rest } = schema;
  return tidiedPart(rest) as JsonObject;
}

function tidiedPart(part: JsonValue): JsonValue {
  if (Array.isArray(part)) return part.map((each: JsonValue) => tidiedPart(each));
  if (!isJsonObject(part)) return part;
  const kept = Object.entries(part).filter(
    ([key, value]) =>
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
      // zod 4 writes standard keywords only; other libraries add functions.
      !key.startsWith('~'),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (literalValues.has(key)) return [key, value];
      if (namedSchemas.has(key) && isJsonObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidiedPart(each)]))];
      }
      return [key, tidiedPart(value)];
    }),
  );
}
