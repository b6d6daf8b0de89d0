import { compilePattern } from '../../../search/searchPattern';
import type { TextQuery } from '../../../ports';

/** Below the limit of one argument on Windows, with room for the others. Linux allows four times as much. */
const MAX_LENGTH = 25_000;
const MAX_DEPTH = 100;

/** Any character or none. JavaScript counts a character beyond U+FFFF as two, ripgrep as one. */
const ONE_OR_NONE = String.raw`[^\n]?`;
const ANYTHING = String.raw`[^\n]*`;

export interface RipgrepPattern {
  readonly pattern: string;
  readonly ignoresCase: boolean;
}

/**
 * A pattern for ripgrep that matches every line that the query matches in JavaScript, and maybe more. What ripgrep lacks
 * or reads in another way becomes something wider: lookarounds, references, letters with a case beyond ASCII.
 * `undefined`: the pattern is too long or nested too deeply. Takes a query that `compilePattern` accepts.
 */
export function ripgrepPattern(
  query: Pick<TextQuery, 'pattern' | 'isRegex' | 'isCaseSensitive'>,
): RipgrepPattern | undefined {
  const compiled = compilePattern(query);
  if (!compiled.ok) return undefined;
  const { source, ignoreCase: ignoresCase } = compiled.regex;
  const pattern = new Widening(source, ignoresCase).all();
  return pattern === undefined || pattern.length > MAX_LENGTH ? undefined : { pattern, ignoresCase };
}

/** Reads a valid expression without the flags `u` and `v` once, from left to right. */
class Widening {
  readonly #source: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  #isTooDeep = false;

  constructor(source: string, ignoresCase: boolean) {
    this.#source = source;
    this.#ignoresCase = ignoresCase;
  }

  all(): string | undefined {
    const result = this.#alternatives(0);
    return this.#isTooDeep || this.#at < this.#source.length ? undefined : result;
  }

  /** Up to the end of the group. */
  #alternatives(depth: number): string {
    if (depth > MAX_DEPTH) this.#isTooDeep = true;
    let result = '';
    while (!this.#isTooDeep && this.#at < this.#source.length && !this.#isNext(')')) {
      result += this.#take('|') ? '|' : this.#term(depth);
    }
    return result;
  }

  #term(depth: number): string {
    const atom = this.#atom(depth);
    const quantifier = this.#pattern(/(?:[*+?]|\{\d+(?:,\d*)?\})/y);
    if (quantifier === undefined) return atom;
    this.#take('?');
    return atom === '' ? '' : `(?:${atom})${quantifier}`;
  }

  #atom(depth: number): string {
    if (this.#take('^')) return '^';
    // The line may end with a carriage return that JavaScript does not see.
    if (this.#take('$')) return String.raw`\r?$`;
    if (this.#take('.')) return ONE_OR_NONE;
    if (this.#take('(')) return this.#group(depth);
    if (this.#take('[')) return this.#class();
    if (this.#take('\\')) return this.#escape();
    return this.#literal(this.#next());
  }

  #group(depth: number): string {
    const kind = this.#pattern(/\?(?::|<?[=!]|<[^>]*>|[a-z-]*:)/y) ?? '';
    const content = this.#alternatives(depth + 1);
    this.#take(')');
    if (/^\?<?[=!]$/.test(kind)) return '';
    const isPlain = kind === '' || kind === '?:' || kind.startsWith('?<');
    return isPlain ? `(?:${content})` : ANYTHING;
  }

  #escape(): string {
    if (this.#take('b')) return String.raw`(?-u:\b)`;
    if (this.#take('B')) return '';
    if (this.#pattern(/[1-9]\d*|0\d*|c[A-Za-z]?|k(?:<[^>]*>)?/y) !== undefined) return ANYTHING;
    const ranges = this.#escapedRanges();
    return ranges === undefined ? ONE_OR_NONE : this.#isOne(ranges) ? this.#literal(ranges[0][0]) : bracketed(ranges);
  }

  #isOne(ranges: readonly Range[]): ranges is readonly [Range] {
    return ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];
  }

  /** What an escape inside or outside brackets stands for. `undefined`: anything. */
  #escapedRanges(): readonly Range[] | undefined {
    const code = this.#pattern(/x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}/y);
    if (code !== undefined) return single(Number.parseInt(code.slice(1), 16));
    const letter = this.#next();
    return SETS[letter] ?? (/[DWSPp]/.test(letter) ? undefined : single(CONTROLS[letter] ?? letter.charCodeAt(0)));
  }

  /** After its opening bracket. */
  #class(): string {
    const isNegated = this.#take('^');
    const ranges: Range[] = [];
    let isWide = isNegated;
    while (this.#at < this.#source.length && !this.#take(']')) {
      const from = this.#member();
      if (!this.#isNext('-') || this.#source[this.#at + 1] === ']') {
        if (from === undefined) isWide = true;
        else ranges.push(...from);
        continue;
      }
      this.#take('-');
      const to = this.#member();
      if (from === undefined || to === undefined) isWide = true;
      else if (this.#isOne(from) && this.#isOne(to)) ranges.push([from[0][0], to[0][0]]);
      else ranges.push(...from, ...single(0x2d), ...to);
    }
    const isKnown = ranges.length > 0 && ranges.every((range) => this.#canName(range));
    return isWide || !isKnown ? ONE_OR_NONE : bracketed(ranges);
  }

  #member(): readonly Range[] | undefined {
    if (!this.#take('\\')) return single(this.#next().charCodeAt(0));
    if (this.#take('b')) return single(0x08);
    if (this.#pattern(/\d+|c[\w]?/y) !== undefined) return undefined;
    return this.#escapedRanges();
  }

  /** Beyond ASCII, the two disagree about letters that differ in case only. */
  #canName([from, to]: Range): boolean {
    const hasSurrogate = from <= 0xdfff && to >= 0xd800;
    return !hasSurrogate && !(this.#ignoresCase && to > 0x7f && !isSpace([from, to]));
  }

  #literal(character: string | number): string {
    const code = typeof character === 'number' ? character : character.charCodeAt(0);
    if (code === 0x0a || (code >= 0xd800 && code <= 0xdfff)) return ONE_OR_NONE;
    if (code <= 0x7f || !this.#ignoresCase) return escaped(code);
    return bracketed(sameLetters(code));
  }

  #next(): string {
    return this.#source[this.#at++] ?? '';
  }

  #isNext(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#isNext(character)) return false;
    this.#at += 1;
    return true;
  }

  /** Takes a text that begins here; `undefined`: there is none. */
  #pattern(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

type Range = readonly [from: number, to: number];

function single(code: number): readonly [Range] {
  return [[code, code]];
}

const CONTROLS: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d };

const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

const DIGITS: Range = [0x30, 0x39];
const SETS: Readonly<Record<string, readonly Range[]>> = {
  d: [DIGITS],
  s: SPACES,
  w: [DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]],
};

function isSpace(range: Range): boolean {
  return SPACES.some(([from, to]) => from === range[0] && to === range[1]);
}

/** The characters that JavaScript takes for the same when it ignores case. */
function sameLetters(code: number): readonly Range[] {
  const wanted = canonical(code);
  const found: Range[] = [];
  for (let other = 0x80; other <= 0xffff; other++) if (canonical(other) === wanted) found.push([other, other]);
  return found;
}

/** By ECMAScript's `Canonicalize`, for expressions without the flag `u`. */
function canonical(code: number): number {
  const upper = String.fromCharCode(code).toUpperCase();
  const result = upper.charCodeAt(0);
  return upper.length !== 1 || (code > 0x7f && result <= 0x7f) ? code : result;
}

/** Without the line feed, which no line contains. */
function bracketed(ranges: readonly Range[]): string {
  const parts = ranges.flatMap(([from, to]): Range[] =>
    from <= 0x0a && to >= 0x0a
      ? [
          [from, 0x09],
          [0x0b, to],
        ]
      : [[from, to]],
  );
  const written = parts.filter(([from, to]) => from <= to).map(([from, to]) => `${hex(from)}-${hex(to)}`);
  return written.length === 0 ? ONE_OR_NONE : `[${written.join('')}]`;
}

function escaped(code: number): string {
  const character = String.fromCharCode(code);
  return /[\w ]/.test(character) ? character : hex(code);
}

function hex(code: number): string {
  return String.raw`\x{${code.toString(16)}}`;
}
