/** A part of a text that means one character: the character itself, an entity, or an escape. */
interface Unit {
  readonly raw: string;
  readonly plain: string;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&#x27;', "'"],
  ['&#34;', '"'],
  ['&#x22;', '"'],
  ['&#96;', '`'],
  ['&#x2F;', '/'],
  ['&nbsp;', ' '],
  ['&#160;', ' '],
]);

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...['\u2018', '\u2019', '\u201A', '\u201B', '\u2032', '\u00B4'].map((mark) => [mark, "'"] as const),
  ...['\u201C', '\u201D', '\u201E', '\u201F', '\u2033', '\u00AB', '\u00BB'].map((mark) => [mark, '"'] as const),
  ...['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212'].map((mark) => [mark, '-'] as const),
  ...['\u00A0', '\u202F', '\u2009'].map((mark) => [mark, ' '] as const),
]);

/** A run of blanks, and a character with characters that do not show or combine with it. */
const BLANKS = /[ \t\u00A0\u202F\u2009]{2,}/y;
const COMBINED = /[^\s\p{M}\u200B-\u200D\u2060\uFEFF\u00AD][\p{M}\u200B-\u200D\u2060\uFEFF\u00AD]+/uy;
const HIDDEN_OR_COMBINED = /[\p{M}\u200B-\u200D\u2060\uFEFF\u00AD]/u;
const HIDDEN = /[\u200B-\u200D\u2060\uFEFF\u00AD]/;
/** Words of some languages need them. */
const JOINER = /[\u200C\u200D]/;
const ALL_HIDDEN = /[\u200B-\u200D\u2060\uFEFF\u00AD]/g;

const LONG_UNIT = /&(?:[a-zA-Z]{2,4}|#\d{2,3}|#x[\da-fA-F]{2});|\\["']/y;

/** The units of a text, each with the plain character that it means. An unknown entity is read as single characters. */
export function unitsOf(text: string): readonly Unit[] {
  const units: Unit[] = [];
  // The blanks of an indentation are single units.
  const body = text.search(/\S/);
  for (let at = 0; at < text.length;) {
    const character = text[at] as string;
    let raw = longerUnitAt(text, at, at > body) ?? character;
    if (character === '&' || character === '\\') {
      LONG_UNIT.lastIndex = at;
      const long = LONG_UNIT.exec(text)?.[0];
      if (long !== undefined && plainOf(long) !== long) raw = long;
    }
    units.push({ raw, plain: character < '\u0080' && raw === character ? raw : plainOf(raw) });
    at += raw.length;
  }
  return units;
}

function longerUnitAt(text: string, at: number, isInside: boolean): string | undefined {
  const next = text[at + 1] ?? '';
  const pattern = /[ \t\u00A0\u202F\u2009]/.test(next)
    ? isInside
      ? BLANKS
      : undefined
    : next >= '\u00AD'
      ? COMBINED
      : undefined;
  if (!pattern) return undefined;
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function plainOf(raw: string): string {
  if (raw === '\u2026') return '...';
  if (raw.length > 1 && raw.trim() === '') return ' ';
  if (raw.length > 1 && raw.charCodeAt(raw.length - 1) >= 0xad) {
    const shown = raw.replaceAll(ALL_HIDDEN, '').normalize('NFC');
    return PLAIN.get(shown) ?? shown;
  }
  if (raw.length === 1) return PLAIN.get(raw) ?? raw;
  if (raw.startsWith('\\')) return raw.slice(1);
  return ENTITIES.get(raw) ?? ENTITIES.get(raw.toLowerCase()) ?? raw;
}

/** The text with plain quotes, dashes and spaces, and without entities and escaped quotes: one character for each unit. */
export function toPlain(text: string): string {
  if (!MAY_DIFFER.test(text.trimStart())) return text;
  let plain = '';
  for (const unit of unitsOf(text)) plain += unit.plain;
  return plain;
}

const MAY_DIFFER = /[&\\\u00A0-\u00BB\u2009-\u2033\u2060\u2212\uFEFF]|\p{M}|[ \t]{2}/u;

/** Decodes entities once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:[a-zA-Z]{2,4}|#\d{2,3}|#x[\da-fA-F]{2});/g, plainOf);
}

/** Without the characters that do not show, as far as another text has them too. A byte order mark at the start stays. */
export function withoutHidden(text: string, other: string): string {
  return text.slice(0, 1) + text.slice(1).replaceAll(ALL_HIDDEN, (one) => (other.includes(one) ? '' : one));
}

/** Whether the new text has an angle bracket or a quotation mark that the old text has as an entity only. */
export function writesBareMark(oldText: string, newText: string): boolean {
  return BARE_MARKS.some(
    ([mark, entity]) => newText.includes(mark) && !oldText.includes(mark) && (entity?.test(oldText) ?? true),
  );
}

/** An encoded text has no angle bracket. Only a quotation mark's own entity shows that it is encoded too. */
const BARE_MARKS: readonly (readonly [mark: string, entity: RegExp | undefined])[] = [
  ['<', undefined],
  ['>', undefined],
  ['"', /&quot;|&#34;|&#x22;/i],
  ["'", /&apos;|&#39;|&#x27;/i],
];

/** Decodes escapes as in a JSON string, and `\'`. */
export function unescapeAll(text: string): string {
  return text.replaceAll(/\\(["'\\/nrt])/g, (_, letter: string) => ESCAPES.get(letter) ?? letter);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Decodes escapes as in a JSON string. */
export function unescapeJson(text: string): string {
  return text.replaceAll(/\\(["\\/nrt])/g, (_, letter: string) => ESCAPES.get(letter) ?? letter);
}

/** Decodes only `\"` and `\'`. */
export function unescapeQuotes(text: string): string {
  return text.replaceAll(/\\(["'])/g, '$1');
}

/** How often a text begins a string or a here-document in which backslashes mean themselves. */
export function rawStringsIn(text: string): number {
  return text.match(/(?<!\w)(?:[bBuUL]?8?[rR][bB]?#*|\$?@\$?)["'`]|\braw["`]|~[A-Z](?=\W)|<<[-~]?'/g)?.length ?? 0;
}

/** Learns from pairs of a quoted and an actual line how a model writes the units of a file. */
export class TypographyEvidence {
  readonly #seen = new Map<string, Set<string>>();
  readonly #fileText: string;
  /** The ways in which the model's writing differed from the file. */
  readonly #ways = new Set<string>();

  readonly #keepsEntities: boolean;

  /** A wrong dash stood between blanks. Such a dash may be meant, where the others were hyphens. */
  #hasSpacedDash = false;

  /** `keepsEntities`: the model wrote no entities for characters in the new text, so those of the new text are text. */
  constructor(fileText: string, keepsEntities = false) {
    this.#fileText = fileText;
    this.#keepsEntities = keepsEntities;
  }

  /** Both lines are equal in plain text, so their units correspond one to one. */
  add(quoted: string, actual: string): void {
    if (quoted === actual && !isSpecial(quoted)) return;
    if (quoted === actual && !MAY_DIFFER.test(quoted)) {
      for (const [mark] of quoted.matchAll(SPECIAL_MARKS)) this.#note(mark, mark);
      return;
    }
    if (isComposed(quoted) && !isComposed(actual)) this.#ways.add('composed');
    const actualUnits = unitsOf(actual);
    const quotedUnits = unitsOf(quoted);
    for (const [index, { raw, plain }] of quotedUnits.entries()) {
      const other = actualUnits[index]?.raw ?? plain;
      if (raw === plain && other === plain && !isSpecial(plain)) continue;
      if (isPlainBlank(raw) && isPlainBlank(other)) {
        if (raw !== other) this.#ways.add(raw.length < other.length ? 'collapsed' : 'stretched');
        continue;
      }
      if (raw !== other) this.#ways.add(wayOf(raw, plain)).add(wayOf(other, plain));
      this.#note(raw, other);
      if (isBetweenBlanks(quotedUnits, index)) this.#hasSpacedDash ||= raw !== other && plain === '-';
    }
  }

  /** The lines differ in more than typography. Only marks that the file's line does not have are used. */
  addUnlike(quoted: string, actual: string): void {
    if (!isSpecial(quoted)) return;
    const actualRaws = new Set(unitsOf(actual).map(({ raw }) => raw));
    for (const { raw, plain } of unitsOf(quoted)) {
      if (raw === plain || actualRaws.has(raw) || !actualRaws.has(plain)) continue;
      this.#ways.add(wayOf(raw, plain)).add(wayOf(plain, plain));
      this.#note(raw, plain);
    }
  }

  /** Whether the quote has one blank where the file has several, so that the blanks of a changed line are unclear. */
  losesAlignment(actual: string): boolean {
    return this.#ways.has('collapsed') && /[ \t]/.test(actual.trim());
  }

  /** Whether a line is changed in nothing but its blanks in a row, which the quote has wrongly elsewhere. */
  changesBlanks(quoted: string, wanted: string): boolean {
    if (quoted === wanted || !(this.#ways.has('collapsed') || this.#ways.has('stretched'))) return false;
    return quoted.replaceAll(/[ \t]+/g, ' ') === wanted.replaceAll(/[ \t]+/g, ' ');
  }

  /** Whether the quote has several blanks in a row where the file has one. */
  get isStretched(): boolean {
    return this.#ways.has('stretched');
  }

  /** Whether one of these lines has several blanks in a row, although the quote has only one where the file has several. */
  isAlignedAgain(lines: readonly string[]): boolean {
    return this.#ways.has('collapsed') && lines.some(hasRun);
  }

  #note(quoted: string, actual: string): void {
    const seen = this.#seen.get(quoted);
    if (seen) seen.add(actual);
    else this.#seen.set(quoted, new Set([actual]));
  }

  /**
   * Translates a new text of the model into the typography of the file. `undefined` if this is unclear: the file itself has
   * such units, or the model wrote them both ways.
   */
  restore(text: string): string | undefined {
    // The file may have another letter and its mark apart too.
    if (this.#ways.has('composed') && lettersWithMarks(text).some((one) => !this.#has(one))) return undefined;
    if (this.#ways.size === 0 || (!isSpecial(text) && !/\s/.test(text))) return text;
    if (this.#ways.has('collapsed') && /[ \t]/.test(text)) return undefined;
    if (this.#ways.has('stretched') && /[ \t]{2}/.test(text)) return undefined;
    if (this.#ways.has('hidden') && HIDDEN.test(text)) {
      return HIDDEN.test(this.#fileText) || JOINER.test(text)
        ? undefined
        : this.restore(text.replaceAll(ALL_HIDDEN, ''));
    }
    // A model that escapes quotes may have escaped line ends too.
    if (this.#ways.has('escape') && /\\[nrt\\]/.test(text)) return undefined;
    let restored = '';
    const units = unitsOf(text);
    for (const [index, unit] of units.entries()) {
      const isDash = unit.plain === '-' && unit.raw !== unit.plain && this.#ways.has('-');
      if (isDash && !this.#hasSpacedDash && isBetweenBlanks(units, index)) return undefined;
      const actual = this.#restoreUnit(unit);
      if (actual === undefined) return undefined;
      restored += actual;
    }
    return restored;
  }

  #restoreUnit({ raw, plain }: Unit): string | undefined {
    if (isPlainBlank(raw)) return raw;
    if (this.#keepsEntities && raw !== plain && raw.startsWith('&')) return raw;
    const seen = this.#seen.get(raw);
    const [only] = seen ?? [];
    if (seen && seen.size > 1) return undefined;
    if (only === raw) return raw;
    // A straight quote can mean either of two curly quotes, depending on its place.
    if (raw === plain) return only === undefined || (only === '\u2019' && !this.#has(raw)) ? (only ?? raw) : undefined;
    if (only === undefined && !this.#ways.has(wayOf(raw, plain))) return raw;
    // Markup has entities of its own, above all of other characters than brackets and quotation marks.
    if (only === undefined && raw.startsWith('&') && !/[<>"']/.test(plain) && this.#fileText.includes('</'))
      return undefined;
    // Another dash or blank than the misquoted ones may be meant.
    if (only === undefined && ['-', ' '].includes(wayOf(raw, plain))) return undefined;
    return this.#has(raw) ? undefined : (only ?? plain);
  }

  #has(raw: string): boolean {
    return this.#fileText.includes(raw);
  }
}

/** Whether no letter has its marks apart that could be one character with them. */
function isComposed(text: string): boolean {
  return text.normalize('NFC') === text;
}

/** The characters that are a letter with its marks. */
function lettersWithMarks(text: string): readonly string[] {
  return [...text].filter((one) => one.normalize('NFD') !== one);
}

/** Guillemets and primes are other marks. */
const CURLY = /[\u2018-\u201F]/;

/** A model that writes one entity may write others, but not therefore curly quotes. */
function wayOf(raw: string, plain: string): string {
  if (raw === plain) return 'plain';
  if (raw.trim() === '') return ' ';
  if (raw.length > 1 && HIDDEN_OR_COMBINED.test(raw)) return 'hidden';
  if (raw.length > 1) return raw.startsWith('&') ? 'entity' : 'escape';
  if (plain === '"' || plain === "'") return CURLY.test(raw) ? 'quote' : raw;
  return plain;
}

/** Whether a line has several blanks in a row between other characters. */
function hasRun(line: string): boolean {
  return /[ \t]{2}/.test(line.trim());
}

/** Whether words stand before a unit and after it, each with a blank between. */
function isBetweenBlanks(units: readonly Unit[], index: number): boolean {
  return [-1, 1].every((step) => isPlainBlank(units[index + step]?.raw ?? '') && units[index + 2 * step] !== undefined);
}

/** How many blanks the model wrote says nothing about its other characters. */
function isPlainBlank(raw: string): boolean {
  return /^[ \t]+$/.test(raw);
}

const SPECIAL = /["'`&\\<>\u00A0-\u00BB\u2009-\u2033\u2060\u2212\uFEFF-]|\p{M}/u;

const SPECIAL_MARKS = new RegExp(SPECIAL, 'gu');

function isSpecial(text: string): boolean {
  return SPECIAL.test(text);
}
