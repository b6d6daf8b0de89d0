import { once } from '../lazy';

/**
 * A piece of text to show. With `isHidden`, `text` replaces the invisible characters in `source`. `text` is empty
 * where the characters follow as they are, such as a line break.
 */
export type TextSegment =
  | { readonly text: string; readonly isHidden: false }
  | { readonly text: string; readonly isHidden: true; readonly source: string };

/**
 * The kind of text. `path`: one line, everything unusual is marked. `command`: line breaks stay and are marked too.
 * `code`: line breaks, tabs and indentation stay as they are. `prose`: so do the blanks and joiners of the world's
 * scripts.
 */
export type VisibleTextKind = 'path' | 'command' | 'code' | 'prose';

/** More blanks than this in a row, outside `code`, could push the text after them out of sight. */
const maxBlankRun = 8;
/** More line breaks than this in a row in a `command` could do the same. */
const maxBreakRun = 2;
/** A longer run of hidden characters is counted, not listed. */
const maxListedHidden = 8;
/** After this many stand-ins in one text, further ones are part of the text around them. A screen cannot draw more. */
const maxStandIns = 2_000;

// Patterns with properties of Unicode are made on first use: reading one takes long.

/** An emoji is a sequence of visible characters and joiners. Joiners and selectors inside it hide nothing. */
const emojiJoiner = once(
  () =>
    /(?<=[\p{Extended_Pictographic}0-9#*])\uFE0F|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu,
);
const hiddenCharacter = once(
  () => /^(?:[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs})$/u,
);
/** Most prose passes: only letters, marks, numbers, punctuation and blanks. Takes ten times as long as the test of ASCII. */
const plainProse = once(
  () => /^(?:[\n\t\p{Zs}]|(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{M}\p{N}\p{P}\p{S}])*$/u,
);

/** Joiners and word breaks that some scripts need: one at a time, between two letters of the script. */
const scriptJoiner = once(
  () =>
    new RegExp(
      [
        'Arabic',
        'Syriac',
        'Mongolian',
        'Devanagari',
        'Bengali',
        'Gurmukhi',
        'Gujarati',
        'Oriya',
        'Tamil',
        'Telugu',
        'Kannada',
      ]
        .concat(['Malayalam', 'Sinhala', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'])
        // Looks back only from a joiner, and not far: else the work would grow with the square of the text.
        .map((script) => String.raw`[\u200B-\u200D](?<=\p{Script=${script}}\p{M}{0,8}.)(?=\p{Script=${script}})`)
        .join('|'),
      'gu',
    ),
);

const names: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'BEL',
  0x08: 'BACKSPACE',
  0x09: 'TAB',
  0x0a: 'LINE BREAK',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0xa0: 'NO-BREAK SPACE',
};

/**
 * Splits a text into visible pieces and stand-ins for invisible characters: control, bidirectional, zero-width and
 * others. Long runs of blanks become a count. The segments keep the order of the text. An empty text has none.
 */
export function visibleSegments(text: string, kind: VisibleTextKind): readonly TextSegment[] {
  if (text === '') return [];
  if (isPlain(text, kind)) return [{ text, isHidden: false }];
  const segments: TextSegment[] = [];
  let standIns = 0;
  const add: AddSegment = (part, source) => {
    const last = segments.at(-1);
    if (source !== undefined && (standIns += 1) <= maxStandIns) segments.push({ text: part, isHidden: true, source });
    else if (last?.isHidden === false) segments[segments.length - 1] = { text: last.text + part, isHidden: false };
    else segments.push({ text: part, isHidden: false });
  };

  const joiners = new Set(joinersIn(text, kind).map(({ index }) => index));
  let index = 0;
  while (index < text.length) {
    const run = runAt(text, index, kind, joiners);
    const part = text.slice(index, run.end);
    if (run.kind === 'plain') add(part);
    else if (run.kind === 'blanks') {
      if (part.length <= maxBlankRun) add(part);
      else add(`<${part.length} spaces>`, part);
    } else if (run.kind === 'breaks') {
      if (part.length <= maxBreakRun) for (let count = 0; count < part.length; count += 1) addBreak(add);
      else {
        add(`<${part.length} line breaks>`, part.slice(1));
        add('\n');
      }
    } else addHidden(part, add);
    index = run.end;
  }
  return segments;
}

/** The visible text as one string, for terminals and log lines. */
export function visibleText(text: string, kind: VisibleTextKind): string {
  return visibleSegments(text, kind)
    .map((segment) => segment.text)
    .join('');
}

/** `source`: the characters that the segment replaces. */
type AddSegment = (part: string, source?: string) => void;

function isPlain(text: string, kind: VisibleTextKind): boolean {
  if (kind !== 'code' && kind !== 'prose') return false;
  // Quick test that most code passes, and prose in English.
  if (/^[\x20-\x7E\n\t]*$/.test(text)) return true;
  return kind === 'prose' && plainProse().test(text);
}

function joinersIn(text: string, kind: VisibleTextKind): readonly RegExpExecArray[] {
  return [...text.matchAll(emojiJoiner()), ...(kind === 'prose' ? text.matchAll(scriptJoiner()) : [])];
}

type RunKind = 'plain' | 'blanks' | 'breaks' | 'hidden';

function runAt(
  text: string,
  start: number,
  kind: VisibleTextKind,
  joiners: ReadonlySet<number>,
): { readonly kind: RunKind; readonly end: number } {
  const runKind = kindAt(text, start, kind, joiners);
  let end = start + lengthAt(text, start);
  while (end < text.length && kindAt(text, end, kind, joiners) === runKind) end += lengthAt(text, end);
  return { kind: runKind, end };
}

function kindAt(text: string, index: number, kind: VisibleTextKind, joiners: ReadonlySet<number>): RunKind {
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  if (kind === 'prose' && /\p{Zs}/u.test(character)) return 'plain';
  if (kind === 'code' || kind === 'prose') {
    if (character === '\n' || character === '\t' || character === ' ') return 'plain';
    // The CR of a CRLF line break, also where the caller has split at the LF.
    if (character === '\r' && (index + 1 === text.length || text[index + 1] === '\n')) return 'plain';
  }
  if (character === ' ') return 'blanks';
  if (character === '\n' && kind === 'command') return 'breaks';
  if (joiners.has(index)) return 'plain';
  return hiddenCharacter().test(character) ? 'hidden' : 'plain';
}

function lengthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function addBreak(add: AddSegment): void {
  add('↵', '');
  add('\n');
}

function addHidden(part: string, add: AddSegment): void {
  const characters = [...part];
  if (characters.length > maxListedHidden) {
    add(`<${characters.length} hidden characters, first ${nameOf(characters[0] ?? '')}>`, part);
    return;
  }
  for (const character of characters) add(`<${nameOf(character)}>`, character);
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
