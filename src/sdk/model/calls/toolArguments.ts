import { jsonrepair } from 'jsonrepair';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import { messageOf } from '../../../util/errors';

export type ParsedArguments =
  { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly error: string };

/**
 * Reads the arguments of a call whose end was really sent. Text that holds no object is an error, and so is JSON inside a
 * JSON string. With `lenient`, flaws that leave no doubt are repaired (Python literals, trailing commas, raw newlines and
 * backslashes, closing brackets left out); a string that was never closed is not: nobody knows how it would have gone on.
 */
export function parseToolArguments(text: string | object, options: { readonly lenient: boolean }): ParsedArguments {
  const value = typeof text === 'string' ? parseText(text, options.lenient) : { ok: true as const, value: text };
  if (!value.ok) return value;
  if (value.value === null) return { ok: true, input: {} };
  if (!isJsonObject(value.value)) {
    return { ok: false, error: `The arguments must be one JSON object, not ${nameOf(value.value)}.` };
  }
  return { ok: true, input: withoutControlCharactersInPaths(value.value) };
}

/**
 * Brings arguments closer to the schema where their meaning is plain: `"3"` for an integer, `"true"`, an array or object
 * as JSON text, a number where text is wanted, `null` for something optional; renames what `parameterAliases` names.
 * Whatever it cannot place stays as it is, for the validation to reject.
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
    // One edit where a list of edits is wanted.
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

/** The types a schema admits; empty when it does not say. */
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

type ParsedText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

function parseText(text: string, isLenient: boolean): ParsedText {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, value: null };
  const strict = tryParse(trimmed);
  if (strict.ok || !isLenient) return strict;
  if (!/^[{[]/.test(trimmed) || isCutOff(trimmed)) return strict;
  const escaped = escapeLooseBackslashes(trimmed);
  const withBackslashes = tryParse(escaped);
  if (withBackslashes.ok) return withBackslashes;
  try {
    return tryParse(jsonrepair(escaped));
  } catch {
    // Beyond repair: what the strict parser found is the more useful message.
    return strict;
  }
}

function tryParse(text: string): ParsedText {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, error: `The arguments are not valid JSON: ${reason.slice(0, 200)}` };
  }
}

/**
 * Whether text ends where more was to come: inside a string, after a colon or a comma, or in a bare value, which may be
 * the beginning of a longer one. What is left out at most are closing brackets.
 */
function isCutOff(text: string): boolean {
  let quote = '';
  let last = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (quote !== '') {
      if (character === '\\') i++;
      else if (character === quote) quote = '';
      continue;
    }
    if (character === '"' || (character === "'" && /[[{,:]/.test(last))) quote = character;
    if (character.trim() !== '') last = character;
  }
  return quote !== '' || !/["'}\]]/.test(last);
}

/**
 * Doubles the backslashes that cannot have been meant as escapes: before a character JSON knows no escape for, and all of
 * a Windows path in a string that has such a one (`C:\Users\new` has an `\n` that is none).
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

/**
 * `C:\new\table` written with single backslashes is valid JSON for a name with a line break and a tab in it. No file is
 * called that, so in what names a path such characters are read as the backslash and the letter they came from.
 */
function withoutControlCharactersInPaths(input: JsonObject): JsonObject {
  let result: Record<string, JsonValue> | undefined;
  for (const [key, value] of Object.entries(input)) {
    if (typeof value !== 'string' || !PATH_KEY.test(key) || !CONTROL.test(value.trim())) continue;
    result ??= { ...input };
    define(
      result,
      key,
      value.trim().replace(CONTROL_ALL, (character) => CONTROL_LETTERS[character] ?? character),
    );
  }
  return result ?? input;
}

const PATH_KEY = /(?:path|file|file_?name|dir|directory|folder|cwd)$/i;
const CONTROL = /[\b\f\n\r\t]/;
const CONTROL_ALL = /[\b\f\n\r\t]/g;
const CONTROL_LETTERS: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Sets a property as JSON.parse does: `__proto__` is a name like any other. */
function define(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function nameOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
