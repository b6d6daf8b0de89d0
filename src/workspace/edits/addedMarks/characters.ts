import { WHOLE_LINE, type FileLines } from '../fileLines';
import { linesOf } from '../lineEnds';
import { alignLines } from '../replacement/alignLines';
import type { TextEdit } from '../textEdit';
import { decodeEntities, unescapeJson, unescapeQuotes } from '../typography';
import { isSameText } from './sameText';
import type { Way, WayOfWriting } from './way';

/** Characters written in another way, everywhere in a text. */
export const characterWays: readonly WayOfWriting[] = [
  { words: 'no-break spaces', way: everywhere(/(?<=\S) (?=\S)/, (text) => text.replaceAll('\u00A0', ' ')) },
  {
    words: 'no-break spaces',
    way: everywhere(/^ +(?=\S)/m, (text) => text.replaceAll(/^\u00A0+/gm, (all) => ' '.repeat(all.length))),
  },
  { words: 'HTML entities', way: everywhere(/[<>]/, decodeEntities) },
  // Others may be encoded in the file.
  {
    words: 'HTML entities',
    way: everywhere(/[<>]/, (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
  },
  { words: 'numbers of characters', way: decodeNumbers },
  { words: 'other blanks', way: (text) => text.replaceAll(/[\u2000-\u200A\u3000]/g, ' ') },
  { words: 'other line ends', way: (text) => text.replaceAll(/[\u2028\u2029\u0085]/g, '\n') },
  { words: 'backslashes before marks', way: (text) => text.replaceAll(/\\([`$_*<[/])/g, '$1') },
  { words: 'escaped line ends', way: everywhere(/\n(?!$)/, (text) => decodeCodes(unescapeJson(text))) },
  { words: 'escaped line ends', way: everywhere(/\n(?!$)/, (text) => text.replaceAll('\\n', '\n')) },
  { words: 'escaped quotation marks', way: everywhere(/(?<!\\)"/, unescapeQuotes) },
  // Others may be escaped in the file.
  { words: 'escaped quotation marks', way: everywhere(/(?<!\\)"/, (text) => text.replaceAll('\\"', '"')) },
  {
    words: 'doubled backslashes',
    way: everywhere(/(?<!\\)(?:\\\\)*\\(?!\\)/, (text) => text.replaceAll('\\\\', '\\')),
  },
  { words: 'curly quotation marks', way: everywhere(/["']/, straight) },
  { words: 'dashes for hyphens', way: everywhere(/ - /, (text) => text.replaceAll(/[\u2013\u2014]/g, '-')) },
  { words: 'an ellipsis for three dots', way: everywhere(/\.{3}/, (text) => text.replaceAll('\u2026', '...')) },
];

/** Whether only the new text has a character within or before words that does not show, such as a byte order mark. */
export function hasHidden(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const added = HIDDEN.filter((character) => newText.includes(character) && !oldText.includes(character));
  const isForeign = added.some((character) => !file.text.includes(character, 1));
  if (!isForeign && !isInKeptLine(added, oldText, newText)) return false;
  return !isSameText(without(HIDDEN, newText), oldText);
}

/** Whether the new text has a quoted line with such a character in it. The file may have the character elsewhere. */
function isInKeptLine(added: readonly string[], oldText: string, newText: string): boolean {
  if (added.length === 0) return false;
  const old = new Set(linesOf(oldText));
  return linesOf(newText).some((line) => {
    const plain = without(added, line);
    return plain !== line && old.has(plain);
  });
}

function without(characters: readonly string[], text: string): string {
  return characters.reduce((rest, character) => rest.replaceAll(character, ''), text);
}

const HIDDEN = ['\u200B', '\u2060', '\uFEFF', '\u00AD'];

/**
 * Whether several changed lines have their angle brackets as entities alone in the new text, and bare alone in the old text,
 * which has other entities. A line alone may be mended so.
 */
export function encodesChangedLines({ oldText, newText }: TextEdit): boolean {
  if (!/&[lg]t;/.test(newText) || /[<>]/.test(newText) || /&[lg]t;/.test(oldText) || !/&\w+;/.test(oldText))
    return false;
  const [old, fresh] = [linesOf(oldText), linesOf(newText)];
  const changed = alignLines(old, fresh.map(decodeEntities)).filter(
    (origin, index) =>
      origin.kind === 'changed' && /[<>]/.test(old[origin.oldIndex] ?? '') && /&[lg]t;/.test(fresh[index] ?? ''),
  );
  return changed.length > 1;
}

/** Whether only the new text begins a line with an escaped quotation mark, where the old text begins one with a bare mark. */
export function escapesFirstMark(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const isEscaped = /^\\"/m.test(newText) && !/(?<!\\)"/.test(newText);
  if (!isEscaped || file.find(linesOf(oldText), WHOLE_LINE).length === 0) return false;
  return /^"/m.test(oldText) && !/^\\"/m.test(oldText) && !isSameText(unescapeQuotes(newText), oldText);
}

/** A way that only counts if the text has no `bare` character, which the way would write otherwise. */
function everywhere(bare: RegExp, way: (text: string) => string): Way {
  return (text) => (bare.test(text) ? undefined : way(text));
}

/** Decodes `&#60;` and `\\u003c`. */
function decodeNumbers(text: string): string {
  return decodeCodes(text.replaceAll(/&#(\d{2,4});/g, (_, number: string) => String.fromCodePoint(Number(number))));
}

/** Decodes `\\u003c`. */
function decodeCodes(text: string): string {
  return text.replaceAll(/\\u([\da-f]{4})/gi, (_, number: string) => String.fromCodePoint(Number.parseInt(number, 16)));
}

function straight(text: string): string {
  return text.replaceAll(/[\u2018\u2019]/g, "'").replaceAll(/[\u201C\u201D]/g, '"');
}
