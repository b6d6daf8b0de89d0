import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import { messageOf } from '../../util/errors';
import type { AgentError } from '../errors';
import { describeSchema, isOptional } from './describeSchema';
import { checkValue, isStandardSchema, type SchemaIssue, type StandardSchema } from './standardSchema';
import { expandShortForm, isPlainObject, unusable } from './shortForm';
import type { ToolShape } from './toolShape';

/** Valid arguments with defaults filled in, or an error that names the field. */
export type Validation =
  { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly error: string };

export interface CompiledSchema {
  readonly inputSchema: JsonObject;
  readonly validate: (input: JsonObject) => Validation;
}

/**
 * Turns a shape into the schema for the model and the check of the arguments. Throws `invalid_options` that names the
 * tool, and the parameter that cannot be used.
 */
export function compileSchema(toolName: string, shape: ToolShape): CompiledSchema {
  if (isStandardSchema(shape)) return compileObject(toolName, shape);
  if (!isPlainObject(shape)) throw unusable(toolName, 'its parameters are neither an object of schemas nor a schema');
  const fields = Object.entries(shape);
  if (fields.some(([, field]) => isStandardSchema(field))) return compileFields(toolName, fields);
  const inputSchema = isFullSchema(shape) ? shape : expandShortForm(toolName, fields);
  return { inputSchema, validate: validatorOf(toolName, inputSchema) };
}

function compileObject(toolName: string, schema: StandardSchema): CompiledSchema {
  const inputSchema = described(toolName, 'its schema', schema);
  if (inputSchema['type'] !== 'object') {
    throw unusable(toolName, 'its schema describes no object, and the parameters of a tool are one');
  }
  return {
    inputSchema,
    validate(input) {
      const checked = checkValue(schema, input);
      return checked.ok ? { ok: true, input: checked.value as JsonObject } : invalid(toolName, checked.issues);
    },
  };
}

/** A schema for each parameter. They may come from different libraries and different copies of one. */
function compileFields(toolName: string, fields: readonly (readonly [string, unknown])[]): CompiledSchema {
  const schemas = fields.map(([name, field]) => {
    if (!isStandardSchema(field)) throw mixed(toolName, fields, name);
    return [name, field] as const;
  });
  const properties = schemas.map(([name, schema]) => {
    const property = described(toolName, `parameter "${name}"`, schema);
    return [name, atPlace(property, `#/properties/${pointerPart(name)}`)] as const;
  });
  const required = schemas.filter(([, schema]) => !isOptional(schema)).map(([name]) => name);
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    },
    validate(input) {
      const valid: [string, JsonValue][] = [];
      const issues: SchemaIssue[] = [];
      for (const [name, schema] of schemas) {
        const value = Object.hasOwn(input, name) ? input[name] : undefined;
        const checked = checkValue(schema, value);
        if (checked.ok) {
          if (checked.value !== undefined || Object.hasOwn(input, name)) valid.push([name, checked.value as JsonValue]);
        } else issues.push(...checked.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })));
      }
      return issues.length > 0 ? invalid(toolName, issues, input) : { ok: true, input: Object.fromEntries(valid) };
    },
  };
}

function mixed(toolName: string, fields: readonly (readonly [string, unknown])[], wrong: string): AgentError {
  const schema = fields.find(([, field]) => isStandardSchema(field))?.[0];
  const why = `parameter "${schema}" is a schema of a library, and parameter "${wrong}" is not. Write all in one form`;
  return unusable(toolName, why);
}

function described(toolName: string, subject: string, schema: StandardSchema): JsonObject {
  try {
    return describeSchema(schema);
  } catch (cause) {
    const why = `${subject} cannot be described to a model: ${messageOf(cause)}. Use plain types, or pass a JSON Schema`;
    throw unusable(toolName, why, cause);
  }
}

/** A schema whose references start at its own root, for a place within another. */
function atPlace(part: JsonObject, place: string): JsonObject {
  const move = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map((each: JsonValue) => move(each));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) =>
        key === '$ref' && typeof each === 'string' && each.startsWith('#')
          ? [key, `${place}${each.slice(1)}`]
          : [key, move(each)],
      ),
    );
  };
  return move(part) as JsonObject;
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

const rootKeywords = new Set(['type', '$schema', 'title', 'description', 'required', 'additionalProperties']);

function isFullSchema(shape: object): shape is JsonObject {
  if (!('type' in shape) || shape.type !== 'object') return false;
  if ('properties' in shape) return isJsonObject(shape.properties);
  return Object.keys(shape).every((key) => rootKeywords.has(key));
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
  return (input) => {
    const parsed = schema.safeParse(input);
    return parsed.success ? { ok: true, input: parsed.data as JsonObject } : invalid(toolName, parsed.error.issues);
  };
}

/** `input`: names the parameters that are missing, for libraries whose messages do not say so. */
function invalid(toolName: string, issues: readonly SchemaIssue[], input?: JsonObject): Validation {
  const problems = issues.map((issue) => describeIssue(issue, input));
  return { ok: false, error: `Invalid arguments for ${toolName}: ${problems.join('; ')}.` };
}

function describeIssue({ message: full, path }: SchemaIssue, input: JsonObject | undefined): string {
  const message = full.replace(/^Invalid input: /, '');
  const [name] = path;
  if (name === undefined) return message;
  const field = path.map(String).join('.');
  const isMissing =
    message.endsWith('received undefined') || (path.length === 1 && input && !Object.hasOwn(input, name));
  return isMissing ? `"${field}" is missing (${message})` : `"${field}": ${message}`;
}
