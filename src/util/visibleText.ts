/** A stretch of text as it may be shown. `isHidden`: `text` stands in for characters that would not be seen. */
export interface TextSegment {
  readonly text: string;
  readonly isHidden: boolean;
}

/**
 * What the text is. `path`: one line, everything unusual is marked. `command`: line breaks stay and are marked as well.
 * `code`: line breaks, tabs and indentation are ordinary and stay as they are.
 */
export type VisibleTextKind = 'path' | 'command' | 'code';

/** More blanks than this in a row, outside `code`, could push what follows out of sight. */
const maxBlankRun = 8;
/** More line breaks than this in a row in a `command` could do the same. */
const maxBreakRun = 2;
/** From here on a run of hidden characters is counted, not listed. */
const maxListedHidden = 8;

/** Emoji are sequences of visible characters and joiners; a joiner or selector inside one hides nothing. */
const emojiJoiner =
  /(?<=[\p{Extended_Pictographic}0-9#*])\uFE0F|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu;
const hiddenCharacter =
  /^(?:[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs})$/u;

/** Most code, told apart quickly. */
const plainCode = /^[\x20-\x7E\n\t]*$/;

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
 * Splits a text into what can be shown as it is and stand-ins for control, bidirectional, zero-width and other invisible
 * characters, so that what a person reads is what is there. Long runs of blanks become a count. The order of the
 * segments is the order of the text; an empty text gives no segments.
 */
export function visibleSegments(text: string, kind: VisibleTextKind): readonly TextSegment[] {
  if (text !== '' && kind === 'code' && plainCode.test(text)) return [{ text, isHidden: false }];
  const segments: TextSegment[] = [];
  const add = (part: string, isHidden: boolean): void => {
    if (part === '') return;
    const last = segments.at(-1);
    if (last?.isHidden === false && !isHidden) segments[segments.length - 1] = { text: last.text + part, isHidden };
    else segments.push({ text: part, isHidden });
  };

  const joiners = new Set([...text.matchAll(emojiJoiner)].map((match) => match.index));
  let index = 0;
  while (index < text.length) {
    const run = runAt(text, index, kind, joiners);
    const part = text.slice(index, run.end);
    if (run.kind === 'plain') add(part, false);
    else if (run.kind === 'blanks') {
      if (part.length <= maxBlankRun) add(part, false);
      else add(`<${part.length} spaces>`, true);
    } else if (run.kind === 'breaks') {
      if (part.length <= maxBreakRun) for (let count = 0; count < part.length; count += 1) addBreak(add);
      else {
        add(`<${part.length} line breaks>`, true);
        add('\n', false);
      }
    } else addHidden(part, add);
    index = run.end;
  }
  return segments;
}

/** The same as one string, for terminals and log lines. */
export function visibleText(text: string, kind: VisibleTextKind): string {
  return visibleSegments(text, kind)
    .map((segment) => segment.text)
    .join('');
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
  if (kind === 'code') {
    if (character === '\n' || character === '\t' || character === ' ') return 'plain';
    // The end of a CRLF line, also where the caller has split at the LF.
    if (character === '\r' && (index + 1 === text.length || text[index + 1] === '\n')) return 'plain';
  }
  if (character === ' ') return 'blanks';
  if (character === '\n' && kind === 'command') return 'breaks';
  if (joiners.has(index)) return 'plain';
  return hiddenCharacter.test(character) ? 'hidden' : 'plain';
}

function lengthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function addBreak(add: (part: string, isHidden: boolean) => void): void {
  add('↵', true);
  add('\n', false);
}

function addHidden(part: string, add: (part: string, isHidden: boolean) => void): void {
  const characters = [...part];
  if (characters.length > maxListedHidden) {
    add(`<${characters.length} hidden characters, first ${nameOf(characters[0] ?? '')}>`, true);
    return;
  }
  for (const character of characters) add(`<${nameOf(character)}>`, true);
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
