import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import { AgentError } from '../errors';

/** The JSON Schema of the short form. Throws `invalid_options` that names the tool and the wrong parameter. */
export function expandShortForm(toolName: string, fields: readonly (readonly [string, unknown])[]): JsonObject {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const [name, field] of fields) {
    const schema: unknown = typeof field === 'string' ? { type: field } : field;
    // An object takes it for its prototype, so the check of the arguments would not see it.
    const problem = name === '__proto__' ? 'has a name that cannot be checked' : problemOf(schema);
    if (problem !== undefined) throw unusable(toolName, `parameter "${name}" ${problem}`);
    const { optional, required: isRequired, ...kept } = schema as JsonObject;
    properties[name] = kept;
    const canBeLeftOut = isRequired === undefined ? optional === true || 'default' in kept : isRequired !== true;
    if (!canBeLeftOut) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
/** A parameter without one of these says nothing of its values. */
const tellingKeywords = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', '$ref'];

/** Why a value is no schema of a parameter; `undefined` if it is one. */
function problemOf(schema: unknown): string | undefined {
  if (!isPlainObject(schema)) return 'is neither a type name nor a schema';
  if (!tellingKeywords.some((keyword) => keyword in schema))
    return `has no type. The types are: ${jsonTypes.join(', ')}`;
  const wrong = wrongTypeIn(schema as JsonObject);
  return wrong === undefined ? undefined : `has the type ${wrong}. The types are: ${jsonTypes.join(', ')}`;
}

function wrongTypeIn(schema: JsonObject): string | undefined {
  const { type, items, properties, anyOf, oneOf } = schema;
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : type === undefined ? [] : [type];
  const wrong = types.find((each) => typeof each !== 'string' || !jsonTypes.includes(each));
  if (wrong !== undefined) return JSON.stringify(wrong);
  const parts = [
    items,
    ...listed(anyOf),
    ...listed(oneOf),
    ...(isJsonObject(properties) ? Object.values(properties) : []),
  ];
  for (const part of parts) {
    const found = isJsonObject(part) ? wrongTypeIn(part) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function listed(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

export function isPlainObject(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another Object.prototype, which has no prototype itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The error for parameters that cannot be used. `why` is a sentence without its full stop. */
export function unusable(toolName: string, why: string, cause?: unknown): AgentError {
  const message = `Tool "${toolName}": ${why}.`;
  return new AgentError({ code: 'invalid_options', message }, cause === undefined ? undefined : { cause });
}
