import type { JsonObject, JsonValue } from '../../../util/json';

/** A value and the index after it. */
export interface ReadValue {
  readonly value: JsonValue;
  readonly end: number;
}

/** Gemma's token for a quotation mark. */
const GEMMA_QUOTE = '<|"|>';
const MAX_DEPTH = 32;

/**
 * Reads one value of Python, JSON or Gemma's notation, with the values of all three: `'a'`, `<|"|>a<|"|>`, `True`, `null`.
 * Keys may stand without quotes. `undefined`: there is none, or its end is missing.
 */
export function readLooseValue(text: string, from: number, depth = 0): ReadValue | undefined {
  const start = skipBlanks(text, from);
  const first = text[start];
  if (first === undefined || depth > MAX_DEPTH) return undefined;
  if (first === '[') return readList(text, start + 1, depth);
  if (first === '{') {
    const found = readLooseFields(text, start + 1, { separator: ':', close: '}' }, depth);
    return found && { value: found.fields, end: found.end };
  }
  return readQuoted(text, start) ?? readWord(text, start);
}

/** Reads `key: value, …` or `key=value, …` up to the closing bracket. */
export function readLooseFields(
  text: string,
  from: number,
  { separator, close }: { readonly separator: ':' | '='; readonly close: '}' | ')' },
  depth = 0,
): { readonly fields: JsonObject; readonly end: number } | undefined {
  const entries: [string, JsonValue][] = [];
  let at = skipBlanks(text, from);
  while (text[at] !== close) {
    const key = readQuoted(text, at) ?? readKey(text, at);
    if (!key || typeof key.value !== 'string') return undefined;
    at = skipBlanks(text, key.end);
    if (text[at] !== separator) return undefined;
    const item = readLooseValue(text, at + 1, depth + 1);
    if (!item) return undefined;
    entries.push([key.value, item.value]);
    at = skipBlanks(text, item.end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
    else if (text[at] !== close) return undefined;
  }
  return { fields: Object.fromEntries(entries), end: at + 1 };
}

function readList(text: string, from: number, depth: number): ReadValue | undefined {
  const list: JsonValue[] = [];
  let at = skipBlanks(text, from);
  while (text[at] !== ']') {
    const item = readLooseValue(text, at, depth + 1);
    if (!item) return undefined;
    list.push(item.value);
    at = skipBlanks(text, item.end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
    else if (text[at] !== ']') return undefined;
  }
  return { value: list, end: at + 1 };
}

function readQuoted(text: string, start: number): ReadValue | undefined {
  if (text.startsWith(GEMMA_QUOTE, start)) {
    const end = text.indexOf(GEMMA_QUOTE, start + GEMMA_QUOTE.length);
    if (end === -1) return undefined;
    return { value: text.slice(start + GEMMA_QUOTE.length, end), end: end + GEMMA_QUOTE.length };
  }
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return undefined;
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === quote) return { value: parts.join('') + text.slice(from, at), end: at + 1 };
    if (text[at] !== '\\') continue;
    const code = /^u([0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[1];
    const letter = text[at + 1] ?? '';
    parts.push(text.slice(from, at), code === undefined ? (ESCAPES.get(letter) ?? `\\${letter}`) : codeOf(code));
    at += code === undefined ? 1 : 5;
    from = at + 1;
  }
  return undefined;
}

function readKey(text: string, start: number): ReadValue | undefined {
  const key = /[\w.$-]+/y;
  key.lastIndex = start;
  const value = key.exec(text)?.[0];
  return value === undefined ? undefined : { value, end: key.lastIndex };
}

function readWord(text: string, start: number): ReadValue | undefined {
  const word = /[^\s,:=()[\]{}'"<>]+/y;
  word.lastIndex = start;
  const found = word.exec(text)?.[0];
  if (found === undefined) return undefined;
  const end = word.lastIndex;
  const known = WORDS.get(found.toLowerCase());
  if (known !== undefined) return { value: known, end };
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(found) ? { value: Number(found), end } : undefined;
}

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['none', null],
  ['null', null],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
  ['/', '/'],
  ['\n', ''],
]);

function codeOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  return at;
}
