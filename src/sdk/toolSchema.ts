import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../util/json';
import { AgentError } from './errors';

/** Valid arguments with defaults filled in, or an error that names the field. */
export type Validation =
  { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly error: string };

/** The types of the short form. */
export type ShortType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/**
 * One parameter of the short form: a type name, or a JSON Schema with two extra flags. It may be left out when it has
 * a `default`, `optional: true` or `required: false`.
 */
export type ShortField = ShortType | ({ readonly type: ShortType } & JsonObject);

/**
 * The parameters of a tool: `{ a: z.number() }`, a zod object, a full JSON Schema (`{ type: 'object', properties: …
 * }`), or the short form `{ location: 'string', limit: { type: 'integer', default: 10 } }`.
 */
export type ToolShape =
  z.ZodObject | Readonly<Record<string, z.ZodType>> | Readonly<Record<string, ShortField>> | JsonObject;

/** The input of a handler, by shape. */
export type InputOf<Shape> = Shape extends z.ZodObject
  ? z.output<Shape>
  : Shape extends Readonly<Record<string, z.ZodType>>
    ? z.output<z.ZodObject<Shape>>
    : Shape extends { readonly type: 'object'; readonly properties: object }
      ? JsonObject
      : Shape extends Readonly<Record<string, ShortField>>
        ? ShortInput<Shape>
        : JsonObject;

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

export interface CompiledSchema {
  readonly inputSchema: JsonObject;
  readonly validate: (input: JsonObject) => Validation;
}

/**
 * Turns a shape into the schema for the model and the check of the arguments. Throws `invalid_options` that names the
 * tool.
 */
export function compileSchema(toolName: string, shape: ToolShape): CompiledSchema {
  const fields = Object.entries(shape);
  if (isZodType(shape)) return compileZod(toolName, shape);
  if (fields.length > 0 && fields.every(([, field]) => isZodType(field))) {
    return compileZod(toolName, z.object(shape as Record<string, z.ZodType>));
  }
  const inputSchema = isFullSchema(shape) ? shape : expandShortForm(toolName, fields);
  return { inputSchema, validate: validatorOf(toolName, inputSchema) };
}

function compileZod(toolName: string, schema: z.ZodType): CompiledSchema {
  let inputSchema: JsonObject;
  try {
    inputSchema = toJsonSchema(schema);
  } catch (cause) {
    throw new AgentError(
      {
        code: 'invalid_options',
        message: `Tool "${toolName}": its zod schema has no JSON Schema form. Use plain types, or pass a JSON Schema.`,
      },
      { cause },
    );
  }
  return { inputSchema, validate: (input) => toValidation(toolName, schema.safeParse(input)) };
}

/**
 * The JSON Schema of a zod type's input, in as few tokens as possible. Throws for a type without a JSON Schema form.
 */
export function toJsonSchema(type: z.ZodType): JsonObject {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(type, {
    io: 'input',
    override: ({ jsonSchema: part }) => dropSafeIntegerBounds(part),
  }) as JsonObject;
  return jsonSchema;
}

/** Drops the safe-integer range that zod writes into every integer: it tells a model nothing. */
function dropSafeIntegerBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

const rootKeywords = new Set(['type', '$schema', 'title', 'description', 'required', 'additionalProperties']);

function isFullSchema(shape: object): shape is JsonObject {
  if (!('type' in shape) || shape.type !== 'object') return false;
  if ('properties' in shape) return isJsonObject(shape.properties);
  return Object.keys(shape).every((key) => rootKeywords.has(key));
}

function expandShortForm(toolName: string, fields: readonly (readonly [string, unknown])[]): JsonObject {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const [name, field] of fields) {
    if (typeof field === 'string') {
      properties[name] = { type: field };
      required.push(name);
      continue;
    }
    if (!isJsonObject(field) || isZodType(field)) {
      throw new AgentError({
        code: 'invalid_options',
        message: `Tool "${toolName}": parameter "${name}" is neither a type name nor a schema, or zod and other forms are mixed.`,
      });
    }
    const { optional, required: isRequired, ...schema } = field;
    properties[name] = schema;
    const canBeLeftOut = isRequired === undefined ? optional === true || 'default' in schema : isRequired !== true;
    if (!canBeLeftOut) required.push(name);
  }
  return { type: 'object', properties, required };
}

/**
 * The check for a foreign schema. Some keywords cannot be checked here (`not`, `if`). Then only the required
 * parameters are checked, and the tool checks the rest.
 */
function validatorOf(toolName: string, inputSchema: JsonObject): (input: JsonObject) => Validation {
  let schema: z.ZodType;
  try {
    schema = z.fromJSONSchema(inputSchema);
  } catch {
    // fromJSONSchema throws for every keyword that it does not know. Only the list of names can be checked then.
    const names = Array.isArray(inputSchema['required']) ? inputSchema['required'].map(String) : [];
    schema = z.looseObject(
      Object.fromEntries(names.map((name) => [name, z.unknown().refine((value) => value !== undefined)])),
    );
  }
  return (input) => toValidation(toolName, schema.safeParse(input));
}

function toValidation(toolName: string, parsed: z.ZodSafeParseResult<unknown>): Validation {
  if (parsed.success) return { ok: true, input: parsed.data as JsonObject };
  const problems = parsed.error.issues.map(describeIssue);
  return { ok: false, error: `Invalid arguments for ${toolName}: ${problems.join('; ')}.` };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const message = issue.message.replace(/^Invalid input: /, '');
  if (issue.path.length === 0) return message;
  const field = issue.path.map(String).join('.');
  return message.endsWith('received undefined') ? `"${field}" is missing (${message})` : `"${field}": ${message}`;
}

function isZodType(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}
