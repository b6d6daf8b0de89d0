import { isJsonObject, type JsonObject, type JsonValue } from '../util/json';
import { visibleText } from '../util/text/visibleText';

/** Keywords whose text is for readers only. */
const WORDS: ReadonlySet<string> = new Set(['description', 'title', '$comment']);
/** No real schema is deeper. All that walks through one later would overflow its stack. */
const MAX_DEPTH = 100;

/** A foreign schema. Names hidden characters of its descriptions, and replaces what is too deep by `{}`. */
export function visibleSchema(schema: JsonObject): JsonObject {
  return map(schema, 0) as JsonObject;
}

function map(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return {};
  if (!isJsonObject(value)) return value.map((each) => map(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      WORDS.has(key) && typeof each === 'string' ? visibleText(each, 'prose') : map(each, depth + 1),
    ]),
  );
}

/** Whether a name or value of a schema has hidden characters. They cannot be replaced: a call needs the exact words. */
export function hasHiddenCharacters(value: JsonValue): boolean {
  // Long runs of blanks hide nothing here, nor do the joiners of scripts.
  if (typeof value === 'string') return visibleText(value, 'prose') !== value && visibleText(value, 'code') !== value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, each]: [string, JsonValue]) => hasHiddenCharacters(key) || hasHiddenCharacters(each),
  );
}
