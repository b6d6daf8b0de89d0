import type { JsonObject, JsonValue } from '../../util/json';
import type { OutputOf, StandardSchema } from './standardSchema';

/** The types of the short form. */
export type ShortType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/**
 * One parameter of the short form: a type name, or a JSON Schema with two extra flags. It may be left out when it has
 * a `default`, `optional: true` or `required: false`.
 */
export type ShortField = ShortType | ({ readonly type: ShortType } & JsonObject);

/**
 * The parameters of a tool: `{ a: z.number() }`, a schema of an object (zod 3.25 or later, or any Standard Schema that gives a
 * JSON Schema), a full JSON Schema (`{ type: 'object', properties: … }`), or the short form `{ location: 'string', limit: {
 * type: 'integer', default: 10 } }`.
 */
export type ToolShape =
  StandardSchema | Readonly<Record<string, StandardSchema>> | Readonly<Record<string, ShortField>> | JsonObject;

/** `unknown` for a shape that `tool` takes. Otherwise a type that names the wrong parameter: `{ a: 'float' }` is an error. */
export type CheckedShape<Shape> = Shape extends StandardSchema
  ? unknown
  : string extends keyof Shape
    ? unknown
    : IsFullSchema<Shape> extends true
      ? unknown
      : { readonly [Name in keyof Shape]: CheckedField<Shape[Name]> };

type CheckedField<Field> = Field extends StandardSchema | ShortField | UntypedField
  ? unknown
  : IsWide<Field> extends true
    ? unknown
    : ShortField;

/** A JSON Schema that names its values in another way than by one type. */
type UntypedField =
  | { readonly type: readonly (ShortType | 'null')[] }
  | { readonly enum: readonly unknown[] }
  | { readonly const: unknown }
  | { readonly anyOf: readonly unknown[] }
  | { readonly oneOf: readonly unknown[] };

/** Whether the type name is known only when the program runs. */
type IsWide<Field> = Field extends string
  ? string extends Field
    ? true
    : false
  : Field extends { readonly type: infer Type }
    ? string extends Type
      ? true
      : false
    : false;

type RootKeyword = 'type' | '$schema' | 'title' | 'description' | 'required' | 'additionalProperties';

type IsFullSchema<Shape> = Shape extends { readonly type: infer Type }
  ? 'object' extends Type
    ? Shape extends { readonly properties: object }
      ? true
      : Exclude<keyof Shape, RootKeyword> extends never
        ? true
        : false
    : false
  : false;

/** The input of a handler, by shape. */
export type InputOf<Shape> = Shape extends StandardSchema
  ? OutputOf<Shape>
  : Shape extends Readonly<Record<string, StandardSchema>>
    ? SchemaInput<Shape>
    : Shape extends { readonly type: 'object'; readonly properties: object }
      ? JsonObject
      : Shape extends Readonly<Record<string, ShortField>>
        ? ShortInput<Shape>
        : JsonObject;

type SchemaInput<Shape extends Readonly<Record<string, StandardSchema>>> = {
  -readonly [Name in keyof Shape as undefined extends OutputOf<Shape[Name]> ? never : Name]: OutputOf<Shape[Name]>;
} & {
  -readonly [Name in keyof Shape as undefined extends OutputOf<Shape[Name]> ? Name : never]?: OutputOf<Shape[Name]>;
};

type ShortInput<Shape> = {
  -readonly [Name in keyof Shape as IsOptional<Shape[Name]> extends true ? never : Name]: ShortValue<Shape[Name]>;
} & {
  -readonly [Name in keyof Shape as IsOptional<Shape[Name]> extends true ? Name : never]?:
    ShortValue<Shape[Name]> | undefined;
};

type IsOptional<Field> = Field extends { readonly default: unknown }
  ? false
  : Field extends { readonly optional: true } | { readonly required: false }
    ? true
    : false;

type ShortValue<Field> = Field extends { readonly type: infer Type }
  ? ShortValue<Type>
  : Field extends 'string'
    ? string
    : Field extends 'number' | 'integer'
      ? number
      : Field extends 'boolean'
        ? boolean
        : Field extends 'array'
          ? readonly JsonValue[]
          : Field extends 'object'
            ? JsonObject
            : JsonValue;
