import { isJsonObject, isTooDeep, MAX_VALUE_LEVELS, type JsonObject, type JsonValue } from '../../../util/json';
import { messageOf } from '../../../util/errors';

export type ParsedArguments =
  { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly error: string };

/** JSON text as a value, or why it is none. */
export type ParsedText =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** The arguments of a call, out of JSON without flaws. See `parseToolArguments`. */
export function parseStrictArguments(text: string): ParsedArguments {
  return argumentsOf(parseStrictly(text));
}

/** No text is `null`. */
export function parseStrictly(text: string): ParsedText {
  const trimmed = text.trim();
  return trimmed === '' ? { ok: true, value: null } : tryParse(trimmed);
}

/** The error says what was wrong, for the model. */
export function tryParse(text: string): ParsedText {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, error: `The arguments are not valid JSON: ${reason.slice(0, 200)}` };
  }
}

/** The arguments in a parsed value. `null` is none. */
export function argumentsOf(value: ParsedText): ParsedArguments {
  if (!value.ok) return value;
  if (value.value === null) return { ok: true, input: {} };
  if (!isJsonObject(value.value)) {
    return { ok: false, error: `The arguments must be one JSON object, not ${nameOf(value.value)}.` };
  }
  if (isTooDeep(value.value, MAX_VALUE_LEVELS)) return { ok: false, error: 'The arguments are nested too deeply.' };
  return { ok: true, input: withPlainPaths(value.value) };
}

/**
 * `C:\new\table` with single backslashes is valid JSON for a name with a line break and a tab. No file has such a name, so
 * path arguments get their backslashes back. Small models begin a path with a blank, which would name another file.
 */
function withPlainPaths(input: JsonObject): JsonObject {
  let result: Record<string, JsonValue> | undefined;
  for (const [key, value] of Object.entries(input)) {
    if (typeof value !== 'string' || !PATH_KEY.test(key)) continue;
    const path = value.trim();
    if (path === '' || (path === value && !CONTROL.test(path))) continue;
    result ??= { ...input };
    define(
      result,
      key,
      path.replace(CONTROL_ALL, (character) => CONTROL_LETTERS[character] ?? character),
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

/** Sets a property as JSON.parse does, also `__proto__`. */
export function define(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function nameOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
