import { jsonrepair } from 'jsonrepair';

/** The number of flaws times that of characters, in a text that is repaired. */
const MAX_WORK = 10_000_000;
/** Likewise, where each word may be a flaw. */
const MAX_UNSURE_WORK = 100_000_000;

/**
 * JSON for a text that is almost JSON. Throws where that cannot be said, and where a text has so many flaws for its length that it
 * is none: the library goes back over what it has read for some of them, so 65,000 characters took it a minute.
 */
export function repairJson(text: string): string {
  const { flaws, isUnsure } = countFlaws(text);
  const mayBeFlaws = isUnsure ? (text.match(/\w+|[^\w\s]/g) ?? []).length : 0;
  if (flaws * text.length > MAX_WORK || mayBeFlaws * text.length > MAX_UNSURE_WORK)
    throw new Error('There are too many flaws.');
  return jsonrepair(text);
}

interface Flaws {
  readonly flaws: number;
  /** Quotation marks or slashes stand where the library may read a string or a comment with other ends. */
  readonly isUnsure: boolean;
}

/**
 * How many places keep a text from being JSON: missing and trailing commas, and words without quotation marks, other than the
 * literals of JSON and Python. Comments count as none. An estimate, in linear time: a place of several flaws counts at least
 * once.
 */
function countFlaws(text: string): Flaws {
  let flaws = 0;
  let isUnsure = false;
  let before = '';
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const kind = kindOf(token);
    if (kind === 'comment') {
      if (!/[\s,{}[\]]/.test(text[index - 1] ?? ' ')) isUnsure = true;
      continue;
    }
    const lacksComma = ENDS_VALUE.has(before) && BEGINS_VALUE.has(kind);
    const isTrailing = before === ',' && kind === 'close';
    if (lacksComma || isTrailing || kind === 'word') flaws += 1;
    if (lacksComma && (before === 'string' || kind === 'string')) isUnsure = true;
    before = kind;
  }
  return { flaws, isUnsure };
}

/** A comment or a string, to its end or to that of the text; a mark; or a run of anything else. */
const TOKENS =
  /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"[^"\\]*(?:\\[^][^"\\]*)*"?|'[^'\\]*(?:\\[^][^'\\]*)*'?|[{}[\],:]|[^\s"'{}[\],:]+/g;

const LITERAL = /^(?:true|false|null|none|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/i;
const ENDS_VALUE: ReadonlySet<string> = new Set(['string', 'literal', 'word', 'close']);
const BEGINS_VALUE: ReadonlySet<string> = new Set(['string', 'literal', 'word', 'open']);

function kindOf(token: string): string {
  if (/^\/[/*]/.test(token)) return 'comment';
  const first = token.charAt(0);
  if (first === '"' || first === "'") return 'string';
  if (first === '{' || first === '[') return 'open';
  if (first === '}' || first === ']') return 'close';
  if (first === ',' || first === ':') return first;
  return LITERAL.test(token) ? 'literal' : 'word';
}
