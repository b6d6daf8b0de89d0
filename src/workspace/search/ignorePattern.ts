/** One line of an ignore file. Matching takes at most (length of pattern) x (length of path) steps, whatever they are. */
export interface IgnorePattern {
  readonly isNegated: boolean;
  readonly isForFoldersOnly: boolean;
  /** From the top of the file's folder. `ANY_FOLDERS` stands for any number of folders, also none. */
  readonly segments: readonly SegmentPattern[];
}

type SegmentPattern = typeof ANY_FOLDERS | readonly CharacterPattern[];

/** `**` as a whole segment. */
const ANY_FOLDERS = '**';

/** `*`, `?`, one character, or a test for one in brackets. */
type CharacterPattern =
  | { readonly kind: 'any number' }
  | { readonly kind: 'any one' }
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'brackets'; readonly isNegated: boolean; readonly ranges: readonly Range[] };

type Range = readonly [from: string, to: string];

/** Parses a line by gitignore(5). `undefined`: it is empty, a comment, or can match nothing. Letters match in any case. */
export function parsePattern(line: string): IgnorePattern | undefined {
  let text = withoutTrailingSpace(line);
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const isForFoldersOnly = text.endsWith('/');
  if (isForFoldersOnly) text = text.slice(0, -1);
  text = text.replaceAll(/\\(.)/g, (escaped, character: string) => (character === '/' ? '/' : escaped));
  const isAnchored = text.includes('/');
  const parts = text.replace(/^\//, '').split('/');
  const segments: SegmentPattern[] = isAnchored ? [] : [ANY_FOLDERS];
  for (const part of parts) {
    const segment = part === '**' ? ANY_FOLDERS : parseSegment(part.toLowerCase());
    if (!segment || segment.length === 0) return undefined;
    if (segment !== ANY_FOLDERS || segments.at(-1) !== ANY_FOLDERS) segments.push(segment);
  }
  // `a/**` means what is in `a`, not `a` itself.
  if (segments.at(-1) === ANY_FOLDERS) segments.push([{ kind: 'any number' }]);
  return { isNegated, isForFoldersOnly, segments };
}

/** Whether a pattern names the path itself. Folders above it are judged on their own. */
export function matchesPattern(pattern: IgnorePattern, path: readonly string[], isFolder: boolean): boolean {
  if (pattern.isForFoldersOnly && !isFolder) return false;
  return matchesWithStars(
    pattern.segments,
    path,
    (segment) => segment === ANY_FOLDERS,
    (segment, name) => segment !== ANY_FOLDERS && matchesSegment(segment, name),
  );
}

function matchesSegment(segment: readonly CharacterPattern[], name: string): boolean {
  return matchesWithStars(segment, [...name.toLowerCase()], ({ kind }) => kind === 'any number', matchesCharacter);
}

/**
 * Matches a list against a pattern whose stars take any number of items. Only the last star is ever extended: taking the
 * first match for the part between two stars is never worse. So the work is bounded by the product of both lengths.
 */
function matchesWithStars<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isStar: (part: P) => boolean,
  matches: (part: P, item: T) => boolean,
): boolean {
  let at = 0;
  let next = 0;
  let lastStar = -1;
  let takenByStar = 0;
  while (next < items.length) {
    const part = pattern[at];
    if (at < pattern.length && isStar(part as P)) {
      lastStar = at;
      takenByStar = next;
      at += 1;
    } else if (at < pattern.length && matches(part as P, items[next] as T)) {
      at += 1;
      next += 1;
    } else if (lastStar >= 0) {
      takenByStar += 1;
      next = takenByStar;
      at = lastStar + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isStar);
}

/** Whether one character fits to a part of a name. */
export function matchesCharacter(part: CharacterPattern, character: string): boolean {
  switch (part.kind) {
    case 'any number':
    case 'any one':
      return true;
    case 'literal':
      return part.character === character;
    case 'brackets':
      return part.ranges.some(([from, to]) => from <= character && character <= to) !== part.isNegated;
  }
}

/** `undefined`: it can match nothing, because brackets are open or a backslash ends it. */
function parseSegment(text: string): readonly CharacterPattern[] | undefined {
  const characters = [...text];
  const segment: CharacterPattern[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (segment.at(-1)?.kind !== 'any number') segment.push({ kind: 'any number' });
    } else if (character === '?') {
      segment.push({ kind: 'any one' });
    } else if (character === '[') {
      const brackets = readBrackets(characters, at);
      if (!brackets) return undefined;
      segment.push(brackets.pattern);
      at = brackets.end;
    } else {
      if (character === '\\') at += 1;
      const literal = characters[at];
      if (literal === undefined) return undefined;
      segment.push({ kind: 'literal', character: literal });
    }
  }
  return segment;
}

/** Reads `[a-z]`, `[!a]` or `[[:digit:]]`. `end` is the place of the closing bracket. */
function readBrackets(
  characters: readonly string[],
  start: number,
): { readonly pattern: CharacterPattern; readonly end: number } | undefined {
  let at = start + 1;
  const isNegated = characters[at] === '!' || characters[at] === '^';
  if (isNegated) at += 1;
  const ranges: Range[] = [];
  for (let isFirst = true; isFirst || characters[at] !== ']'; isFirst = false) {
    if (at >= characters.length) return undefined;
    const named = characters[at] === '[' && characters[at + 1] === ':' ? readClass(characters, at) : undefined;
    if (named) {
      ranges.push(...named.ranges);
      at = named.end + 1;
      continue;
    }
    const from = readOne();
    if (from === undefined) return undefined;
    const isRange = characters[at] === '-' && characters[at + 1] !== ']' && at + 1 < characters.length;
    if (isRange) at += 1;
    const to = isRange ? readOne() : from;
    if (to === undefined) return undefined;
    ranges.push([from, to]);
  }
  return { pattern: { kind: 'brackets', isNegated, ranges }, end: at };

  function readOne(): string | undefined {
    if (characters[at] === '\\') at += 1;
    const character = characters[at];
    at += 1;
    return character;
  }
}

/** Reads `[:digit:]`. `end` is the place of its closing bracket. */
function readClass(
  characters: readonly string[],
  start: number,
): { readonly ranges: readonly Range[]; readonly end: number } | undefined {
  const end = characters.indexOf(']', start);
  if (end < 0 || characters[end - 1] !== ':') return undefined;
  const ranges = CLASSES[characters.slice(start + 2, end - 1).join('')];
  return ranges && { ranges, end };
}

const DIGITS: Range = ['0', '9'];
const LETTERS: readonly Range[] = [
  ['a', 'z'],
  ['A', 'Z'],
];

const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  alnum: [...LETTERS, DIGITS],
  alpha: LETTERS,
  blank: [
    [' ', ' '],
    ['\t', '\t'],
  ],
  digit: [DIGITS],
  graph: [['!', '~']],
  lower: LETTERS,
  print: [[' ', '~']],
  punct: [
    ['!', '/'],
    [':', '@'],
    ['[', '`'],
    ['{', '~'],
  ],
  space: [
    [' ', ' '],
    ['\t', '\r'],
  ],
  upper: LETTERS,
  xdigit: [DIGITS, ['a', 'f']],
};

/** Removes spaces at the end, unless a backslash stands before them. */
function withoutTrailingSpace(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 && end < line.length ? end + 1 : end);
}
