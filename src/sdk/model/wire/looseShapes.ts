import { isJsonObject, parseJson, type JsonObject } from '../../../util/json';

/** How deep lists and encoded values may stand in each other. */
const MAX_DEPTH = 4;

/** The objects in a place for a list of them. Gateways send one without its list, an object of numbered entries, or JSON in a string. */
export function objectsIn(value: unknown, depth = 0): readonly JsonObject[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, depth + 1));
  if (typeof value === 'string') return /^\s*[{[]/.test(value) ? objectsIn(parseJson(value), depth + 1) : [];
  if (!isJsonObject(value)) return [];
  const keys = Object.keys(value);
  const isNumbered = keys.length > 0 && keys.every((key) => /^\d{1,4}$/.test(key));
  return isNumbered ? Object.values(value).flatMap((item) => objectsIn(item, depth + 1)) : [value];
}

/** The bodies in the place of a delta or message. A string is its text, unless it holds such a body. */
export function bodiesIn(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(bodiesIn);
  if (typeof value !== 'string') return objectsIn(value);
  const encoded = objectsIn(value);
  if (encoded.length > 0 && encoded.every((body) => BODY_KEYS.some((key) => Object.hasOwn(body, key)))) return encoded;
  return value === '' ? [] : [{ content: value }];
}

const BODY_KEYS = ['role', 'content', 'tool_calls', 'reasoning_content', 'reasoning'];

/**
 * The text of content parts: `{type: 'text', text}`, and for thinking `{type: 'thinking', thinking: [{type: 'text',
 * text}]}`. A part may stand without its list, and text without its part.
 */
export function textOfParts(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string' || content === undefined || content === null) return textOfPart(content, type);
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.map((part) => textOfPart(part, type)).join('');
}

function textOfPart(part: unknown, type: 'text' | 'thinking'): string {
  if (typeof part === 'string') return type === 'text' ? part : '';
  if (!isJsonObject(part)) return '';
  const kind = part['type'] === 'output_text' ? 'text' : (part['type'] ?? 'text');
  const text = kind === type ? part[type] : undefined;
  return typeof text === 'string' ? text : Array.isArray(text) ? textOfParts(text, 'text') : '';
}
