import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import { repairJson } from '../../../util/repairJson';
import { argumentsOf, define, parseStrictly, tryParse, type ParsedArguments, type ParsedText } from './strictArguments';

/**
 * Parses the arguments of a complete call. Text without an object is an error, and so is JSON inside a JSON string.
 * With `lenient`, unambiguous flaws are repaired: Python literals, trailing commas, raw newlines and backslashes,
 * missing closing brackets. A string without an end is not repaired, because its rest is unknown.
 */
export function parseToolArguments(text: string | object, options: { readonly lenient: boolean }): ParsedArguments {
  return typeof text === 'string'
    ? argumentsOf(parseText(text, options.lenient))
    : argumentsOf({ ok: true, value: text });
}

/**
 * Converts arguments to the types of the schema where their meaning is clear: `"3"` for an integer, `"true"`, JSON
 * text for an array or object, a number for text, `null` for an optional value. Renames parameters by
 * `parameterAliases`. Leaves anything else for the validation.
 */
export function coerceBySchema(
  input: JsonObject,
  schema: JsonObject,
  parameterAliases?: Readonly<Record<string, string>>,
): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(input)) {
    const alias = parameterAliases && Object.hasOwn(parameterAliases, key) ? parameterAliases[key] : undefined;
    const isKnown = Object.hasOwn(properties, key);
    const name = !isKnown && alias !== undefined && !Object.hasOwn(input, alias) ? alias : key;
    const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(wanted)) {
      define(result, name, value);
      continue;
    }
    const isOptionalNull = value === null && !required.includes(name) && !typesOf(wanted).has('null');
    if (!isOptionalNull) define(result, name, coerceValue(value, wanted));
  }
  return result;
}

function coerceValue(value: JsonValue, schema: JsonObject): JsonValue {
  const types = typesOf(schema);
  if (types.size === 0) return value;
  if (typeof value === 'string' && !types.has('string')) return coerceText(value, schema, types);
  if (typeof value === 'number' || typeof value === 'boolean') {
    const isFitting = types.has(typeof value) || (typeof value === 'number' && types.has('integer'));
    if (!isFitting && types.has('string')) return String(value);
  }
  const items = schema['items'];
  if (Array.isArray(value) && isJsonObject(items)) return value.map((item: JsonValue) => coerceValue(item, items));
  if (isJsonObject(value)) {
    if (types.has('object')) return coerceBySchema(value, variantOf(schema, 'object'));
    // A single item where a list is expected.
    if (types.has('array') && isJsonObject(items) && typesOf(items).has('object')) return [coerceValue(value, items)];
  }
  return value;
}

function coerceText(text: string, schema: JsonObject, types: ReadonlySet<string>): JsonValue {
  const trimmed = text.trim();
  if (types.has('integer') || types.has('number')) {
    const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
    if (Number.isFinite(number) && (types.has('number') || Number.isInteger(number))) return number;
  }
  if (types.has('boolean')) {
    if (/^true$/i.test(trimmed)) return true;
    if (/^false$/i.test(trimmed)) return false;
  }
  if (types.has('null') && /^(?:null|none)$/i.test(trimmed)) return null;
  const isListText = types.has('array') && trimmed.startsWith('[');
  const isObjectText = (types.has('object') || types.has('array')) && trimmed.startsWith('{');
  if (isListText || isObjectText) {
    const parsed = parseText(trimmed, true);
    if (parsed.ok && typeof parsed.value === 'object' && parsed.value !== null) {
      return coerceValue(parsed.value as JsonValue, schema);
    }
  }
  return text;
}

/** The types that a schema allows; empty when it names none. */
function typesOf(schema: JsonObject): ReadonlySet<string> {
  const types = new Set<string>();
  const own = schema['type'];
  for (const type of Array.isArray(own) ? own : [own]) if (typeof type === 'string') types.add(type);
  for (const variant of variantsOf(schema)) for (const type of typesOf(variant)) types.add(type);
  if (types.size === 0 && Array.isArray(schema['enum'])) {
    for (const value of schema['enum']) types.add(value === null ? 'null' : typeof value);
  }
  return types;
}

function variantsOf(schema: JsonObject): readonly JsonObject[] {
  return [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
}

function variantOf(schema: JsonObject, type: string): JsonObject {
  if (isJsonObject(schema['properties'])) return schema;
  return variantsOf(schema).find((variant) => typesOf(variant).has(type)) ?? schema;
}

function parseText(text: string, isLenient: boolean): ParsedText {
  const strict = parseStrictly(text);
  if (strict.ok || !isLenient) return strict;
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed) || isCutOff(trimmed)) return strict;
  const escaped = escapeLooseBackslashes(trimmed);
  const withBackslashes = tryParse(escaped);
  if (withBackslashes.ok) return withBackslashes;
  try {
    return tryParse(repairJson(escaped));
  } catch {
    // Not repairable. The message of the strict parser is more useful.
    return strict;
  }
}

/**
 * Whether the text ends inside a value: in a string, after a colon or a comma, or in a bare value that may go on. Then
 * more than closing brackets is missing.
 */
function isCutOff(text: string): boolean {
  return missingBrackets(text) === undefined;
}

/**
 * How many closing brackets are missing at the end of JSON, also of JSON with single quotes. `undefined`: the text ends
 * inside a value, so more than brackets is missing.
 */
export function missingBrackets(text: string): number | undefined {
  let quote = '';
  let last = '';
  /** What comes before the newest string. */
  let before = '';
  const open: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (quote !== '') {
      if (character === '\\') i++;
      else if (character === quote) quote = '';
      continue;
    }
    if (character === '"' || (character === "'" && /[[{,:]/.test(last))) {
      quote = character;
      before = last;
    } else if (character === '{' || character === '[') open.push(character);
    else if (character === '}' || character === ']') open.pop();
    if (character.trim() !== '') last = character;
  }
  const isKey = /["']/.test(last) && open.at(-1) === '{' && before !== ':';
  return quote !== '' || isKey || !/["'}\]]/.test(last) ? undefined : open.length;
}

/**
 * Doubles backslashes that cannot be escapes: before a character without an escape in JSON, and all in a Windows path
 * with such a backslash. In `C:\Users\new` the `\n` is no line break.
 */
function escapeLooseBackslashes(text: string): string {
  return text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"/g, (literal) => {
    const isLoose = (escape: string): boolean => !/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/.test(escape);
    const escapes = literal.match(ESCAPES) ?? [];
    if (!escapes.some(isLoose)) return literal;
    const withPaths = literal.replace(/(?<![A-Za-z])[A-Za-z]:(?:\\(?![\\"])[\w.$@~-]*)+/g, (path) =>
      path.replaceAll('\\', '\\\\'),
    );
    return withPaths.replace(ESCAPES, (escape) => (isLoose(escape) ? `\\${escape}` : escape));
  });
}

const ESCAPES = /\\(?:u[0-9a-fA-F]{4}|[^])/g;
