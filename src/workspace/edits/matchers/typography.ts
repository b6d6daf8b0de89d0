import { WITHOUT_TRAILING_SPACE, type FileLines, type LineKey } from '../fileLines';
import { restoreReplacement } from '../replacement/restoreReplacement';
import {
  decodeEntities,
  rawStringsIn,
  toPlain,
  unescapeAll,
  unescapeJson,
  unescapeQuotes,
  unitsOf,
  writesBareMark,
} from '../typography';
import { isBlank } from '../lineEnds';
import { toLineEdit, type LineEdit } from './lineEdit';
import { NONE, type MatchResult } from './matcher';
import type { TextEdit } from '../textEdit';
import { matchWholeLines } from './wholeLines';

const PLAIN: LineKey = { name: 'plain', of: (line) => toPlain(line.trimEnd()) };

/** Matches although the model wrote curly quotes, HTML entities, or escaped quotes and line ends, or the file has them. */
export function matchTypography(file: FileLines, edit: TextEdit): MatchResult {
  const decoded = matchDecoded(file, edit);
  if (decoded.kind !== 'none') return decoded;
  const lines = toLineEdit(edit);
  const plain = matchWholeLines(file, lines, PLAIN);
  return plain.kind === 'none' ? matchPartOfLines(file, lines, edit.oldText.endsWith('\n')) : plain;
}

/** The whole quote is escaped for JSON or HTML, so the new text is too. */
function matchDecoded(file: FileLines, edit: TextEdit): MatchResult {
  let result: MatchResult = NONE;
  const keepsSlashes = /(?<!\\)\//.test(edit.oldText) && !edit.oldText.includes('\\/');
  const escapes = [unescapeJson, unescapeAll].map((decode) => (keepsSlashes ? exceptSlashes(decode) : decode));
  for (const decode of [unescapeQuotes, ...escapes, decodeProperEntities]) {
    const oldText = decode(edit.oldText);
    if (oldText === edit.oldText) continue;
    const decoded = decodeAlike(edit, oldText, decode === decodeProperEntities ? decodeEntities : decode);
    const newText = decoded ?? edit.newText;
    const found = matchWholeLines(file, toLineEdit({ oldText, newText }), WITHOUT_TRAILING_SPACE);
    if (found.kind === 'none') continue;
    if (found.kind !== 'found') return found;
    const firstLine = file.lineAt(found.replacement.start);
    const lastLine = Math.max(firstLine, file.lineAt(Math.max(0, found.replacement.end - 1)));
    const isInDoubt =
      decoded === undefined ||
      (result.kind === 'found' && result.replacement.text !== found.replacement.text) ||
      (decode === unescapeQuotes && (escapesOtherMarks(edit) || mayEscapeLineEnds(edit))) ||
      (newText !== edit.newText &&
        decode !== decodeProperEntities &&
        decode !== unescapeQuotes &&
        (hasOtherEscapes(edit, decode) ||
          (!edit.oldText.includes('\\\\') && isTornString(edit.newText, newText, file, firstLine))));
    if (isInDoubt) return { kind: 'unclear', firstLine, lastLine };
    result = found;
  }
  return result;
}

/** The quote has slashes, none of them escaped. So one behind a backslash is text, as in an expression. */
function exceptSlashes(decode: (text: string) => string): (text: string) => string {
  return (text) =>
    text
      .split(/(?<!\\)\\\//)
      .map(decode)
      .join('\\/');
}

/**
 * The new text is decoded if it is encoded as the quote is. Bare quotation marks and the lines that the model kept show it;
 * without these, the escapes that it kept, the line ends and the kinds of escapes. `undefined` if both are possible.
 */
function decodeAlike(edit: TextEdit, oldText: string, decode: (text: string) => string): string | undefined {
  const { newText } = edit;
  const decoded = decode(newText);
  const isBare = decode === decodeEntities ? writesBareMark(edit.oldText, newText) : hasBareMark(edit, decode);
  if (decoded === newText) return newText;
  // Of lines that the model kept as it quoted them, the file has the decoded form.
  if (keepsQuotedLines(edit, decode)) return decoded;
  const known = new Set(oldText.split('\n'));
  const count = (text: string, other: string): number => {
    const others = new Set(other.split('\n'));
    return text.split('\n').filter((line) => known.has(line) && !isBlank(line) && !others.has(line)).length;
  };
  const [asFile, asQuote] = [count(newText, decoded), count(decoded, newText)];
  // A new line may be written as the bare mark is, or as the kept lines are.
  if (isBare) return asQuote > 0 && asFile === 0 && addsEncoded(edit, decode) ? undefined : newText;
  if (asFile > 0 && asQuote > 0) return undefined;
  // A text that becomes raw has half of its backslashes.
  if (asFile > 0 && decode !== decodeEntities && rawStringsIn(newText) > rawStringsIn(edit.oldText)) return undefined;
  // The edit may take the backslashes away with which the file has all marks, or all backslashes.
  if (asFile > 0 && decode !== decodeEntities && hasAllEscaped(oldText, newText, decode)) return undefined;
  if (asFile !== asQuote) return asFile > 0 ? newText : decoded;
  // The new text has entities as the file has them, not those of the quote.
  if (decode === decodeEntities && hasEntitiesOf(newText, { file: oldText, quote: edit.oldText })) return undefined;
  // In a string of another kind, the same text may have other escapes.
  if (
    decode !== decodeEntities &&
    oldText.includes('\\') &&
    (movesEscapes(edit.oldText, newText) || movesEscapes(oldText.replaceAll(/(?<!\\)\\+["'`]/g, ''), newText))
  )
    return undefined;
  const [ofFile, ofQuote] = [new Set(escapedPiecesOf(oldText)), new Set(escapedPiecesOf(edit.oldText))];
  const pieces = escapedPiecesOf(newText);
  // Such a row before a mark may be backslashes that belong to the text.
  if (decode === unescapeQuotes && pieces.some((piece) => /^\\{2,}["']$/.test(piece) && !ofQuote.has(piece)))
    return undefined;
  const isAsFile = pieces.some((piece) => ofFile.has(piece) && !ofQuote.has(piece));
  const isAsQuote = pieces.some((piece) => ofQuote.has(piece) && !ofFile.has(piece));
  if (isAsFile) return isAsQuote ? undefined : newText;
  // The file has such escapes in one place, and the quote has them in another.
  const isEither = decode !== decodeEntities && pieces.some((piece) => ofFile.has(piece) && ofQuote.has(piece));
  if (isEither && !isAsQuote) return undefined;
  const countLines = (text: string): number => text.trim().split('\n').length;
  // Lines of the new text end as in the file, though the only line of the quote does not.
  const endsEscaped = !edit.oldText.includes('\n') && oldText.includes('\n');
  if (endsEscaped || countLines(oldText) > countLines(edit.oldText)) return countLines(newText) > 1 ? newText : decoded;
  if (!isAsQuote && hasRowsOf(newText, { file: oldText, quote: edit.oldText })) return undefined;
  const escapesOf = (text: string): readonly string[] => text.match(/\\[^]/g) ?? [];
  const used = new Set(escapesOf(edit.oldText));
  if (escapesOf(newText).every((escape) => used.has(escape))) return decoded;
  return isAsQuote ? undefined : newText;
}

/** Whether the file has all marks of a kind behind backslashes, or all backslashes in pairs, as the new text has too. */
function hasAllEscaped(fileText: string, newText: string, decode: (text: string) => string): boolean {
  const isEscaped = (text: string, mark: string): boolean =>
    text.includes(`\\${mark}`) && !new RegExp(`(?<!\\\\)${mark}`).test(text);
  const isPaired = (text: string): boolean => text.includes('\\') && !text.replaceAll('\\\\', '').includes('\\');
  if (decode !== unescapeQuotes) return isPaired(fileText) && isPaired(newText);
  return ['"', "'"].some((mark) => isEscaped(fileText, mark) && newText.includes(`\\${mark}`));
}

/** Whether all lines of the new text that decoding would change are lines of the quote. */
function keepsQuotedLines({ oldText, newText }: TextEdit, decode: (text: string) => string): boolean {
  const quoted = new Set(oldText.split('\n'));
  const changed = newText.split('\n').filter((line) => decode(line) !== line);
  return changed.length > 0 && changed.every((line) => quoted.has(line));
}

/** Whether decoding would change a line of the new text that the quote does not have. */
function addsEncoded({ oldText, newText }: TextEdit, decode: (text: string) => string): boolean {
  const quoted = new Set(oldText.split('\n'));
  return newText.split('\n').some((line) => decode(line) !== line && !quoted.has(line));
}

/** Whether a backslash of the old text stands in another kind of string in the new text, so it may mean something else. */
function movesEscapes(oldText: string, newText: string): boolean {
  const known = stringsOfEscapes(oldText);
  return [...stringsOfEscapes(newText)].some(([piece, strings]) => {
    const before = known.get(piece);
    return before !== undefined && [...strings].some((one) => !before.has(one));
  });
}

/** For each row of backslashes with the character after it, the marks that begin the strings around it. */
function stringsOfEscapes(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    let mark = '';
    for (const [token] of line.matchAll(/\\+[^\\]?|(?<!\w)[rRbBuUfFL@$#]{0,2}["'`]/g)) {
      if (!token.startsWith('\\')) mark = token;
      else found.set(token, (found.get(token) ?? new Set()).add(mark));
    }
  }
  return found;
}

/** Whether the new text has a quotation mark without a backslash, of a kind that has one everywhere in the old text. */
function hasBareMark({ oldText, newText }: TextEdit, decode: (text: string) => string): boolean {
  return ['"', "'"].some((mark) => {
    const bare = new RegExp(`(?<!\\\\)${mark}`);
    const isDecoded = decode(`\\${mark}`) === mark;
    return isDecoded && oldText.includes(`\\${mark}`) && !bare.test(oldText) && bare.test(newText);
  });
}

/** Whether the new text has rows of backslashes as long as those of the file, and none as long as only the quote has. */
function hasRowsOf(newText: string, { file, quote }: { readonly file: string; readonly quote: string }): boolean {
  const [ofFile, ofQuote] = [file, quote].map((text) => new Set(text.match(/\\+/g))) as [Set<string>, Set<string>];
  const rows: readonly string[] = newText.match(/\\+/g) ?? [];
  return (
    rows.some((row) => ofFile.has(row) && !ofQuote.has(row)) &&
    !rows.some((row) => ofQuote.has(row) && !ofFile.has(row))
  );
}

/** Whether all entities of the new text are those of the file, and none is one that only the quote has. */
function hasEntitiesOf(newText: string, { file, quote }: { readonly file: string; readonly quote: string }): boolean {
  const [ofFile, ofQuote] = [file, quote].map((text) => new Set(text.match(ENTITY))) as [Set<string>, Set<string>];
  const used: readonly string[] = newText.match(ENTITY) ?? [];
  return used.length > 0 && used.every((one) => ofFile.has(one) && !ofQuote.has(one));
}

const ENTITY = /&#?\w+;/g;

/** Each row of backslashes with the character after it. */
function escapedPiecesOf(text: string): readonly string[] {
  return text.match(/\\+[^\\]?/g) ?? [];
}

/** Decodes entities only if ampersands are encoded too, which shows that all entities are encoded text. */
function decodeProperEntities(text: string): string {
  return /&amp;#?\w+;/.test(text) ? decodeEntities(text) : text;
}

/** Whether an escaped newline of the new text may be meant as an escape: decoding it would split a string in two lines. */
function isTornString(escaped: string, newText: string, file: FileLines, firstLine: number): boolean {
  // Backslashes are only halved if the quote shows that they were doubled.
  if (escaped.includes('\\\\')) return true;
  if (/(["'`/])\\[nrt]\\?\1/.test(escaped)) return true;
  if (!/\\n/.test(escaped)) return false;
  const known = new Set<string>();
  for (let line = firstLine; line < Math.min(file.count, firstLine + 2000); line++) known.add(file.contentOf(line));
  const lines = newText.split('\n').map((line) => ({ line, isNew: !known.has(line), isOpen: hasOpenQuote(line) }));
  return lines.some(({ line, isNew, isOpen }, index) => {
    const next = lines.slice(index + 1).find((other) => other.line.trim() !== '');
    if (!next || !isNew || !next.isNew) return false;
    return (isOpen && next.isOpen) || (/[(/,]$/.test(line) && /^(?:["'`,;]|\/(?![/*]))(?!["'`]{2})/.test(next.line));
  });
}

/** Whether only the new text has a quotation mark of one kind behind a backslash, which may be text. */
function escapesOtherMarks({ oldText, newText }: TextEdit): boolean {
  return ['\\"', "\\'"].some((mark) => newText.includes(mark) && !oldText.includes(mark));
}

/** Whether only the new text has an escaped line end outside of strings. The model may have escaped line ends too. */
function mayEscapeLineEnds({ oldText, newText }: TextEdit): boolean {
  if (oldText.includes('\\n')) return false;
  return unescapeQuotes(newText)
    .split('\n')
    .some((line) => [...line.matchAll(/(?<!\\)\\n/g)].some(({ index }) => !hasOpenQuote(line.slice(0, index))));
}

/** Whether the new text has escapes that the quote does not have and that may be text. In whole JSON, no escape is text. */
function hasOtherEscapes({ oldText, newText }: TextEdit, decode: (text: string) => string): boolean {
  const escapesOf = (text: string): readonly string[] =>
    (text.match(/\\[^]/g) ?? []).filter((one) => decode(one) !== one && one !== '\\n');
  const used = new Set(escapesOf(oldText));
  const isJson = [oldText, newText].every((text) => !/[\n\t]|(?<!\\)(?:\\\\)*"/.test(text));
  return escapesOf(newText).some((one) => !used.has(one) && !(isJson && one !== '\\t' && one !== '\\r'));
}

function hasOpenQuote(line: string): boolean {
  const quotes = line.replaceAll(/"{3}|'{3}|`{3}|\w'\w|\\./g, '');
  return ['"', "'", '`'].some((mark) => quotes.split(mark).length % 2 === 0);
}

/** Shorter quotes occur in too many lines. */
const MIN_PART_LENGTH = 4;

/** Matches a quote that begins or ends in the middle of a line. */
function matchPartOfLines(file: FileLines, edit: LineEdit, isFinished: boolean): MatchResult {
  const wanted = edit.oldLines.map(toPlain);
  if (edit.oldLines.join('').trim().length < MIN_PART_LENGTH) return NONE;
  const found = wanted.length === 1 ? findInLines(file, wanted[0] as string) : findAcrossLines(file, wanted);
  // The typography must differ: a stricter matcher has refused equal text.
  const places = found.filter(
    ({ start, end }) =>
      !hasOtherEnds(file, edit.oldLines, { start, end }) &&
      file.text.slice(start, end).split(/\r?\n/).join('\n') !== edit.oldLines.join('\n') &&
      !(isFinished && end !== file.endOf(file.lineAt(Math.max(0, end - 1)))),
  );
  const [place, another] = places;
  if (!place) return NONE;
  if (another) return { kind: 'ambiguous', starts: places.map(({ start }) => start) };
  const { start, end } = place;
  const firstLine = file.lineAt(start);
  const lastLine = firstLine + wanted.length - 1;
  const [lead, rest] = [file.text.slice(file.startOf(firstLine), start), file.text.slice(end, file.endOf(lastLine))];
  if (wanted.length > 1 && isTorn(edit.oldLines, lead, rest)) return NONE;
  // Blank lines at an end are neither in the part nor compared.
  if ([edit.before, edit.after].some((blanks) => blanks.old.length + blanks.new.length > 0))
    return { kind: 'unclear', firstLine, lastLine };
  if (edit.newLines.length === 0 && isBlank(lead) && isBlank(rest)) {
    // Removes whole lines with their line ends and their indentation.
    return {
      kind: 'found',
      replacement: { start: file.startOf(firstLine), end: file.startOf(lastLine + 1), text: '' },
    };
  }
  const actual = wanted.map((_, index) => ({
    text: file.text.slice(
      index === 0 ? start : file.startOf(firstLine + index),
      firstLine + index === lastLine ? end : file.endOf(firstLine + index),
    ),
    lineEnd: file.lineEndAfter(firstLine + index),
  }));
  const text = restoreReplacement({
    ...edit,
    actual,
    actualOf: wanted.map((_, index) => index),
    isFirstPartial: true,
    lineEnd: file.lineEnd,
    fileText: file.text,
  });
  // New lines need an indentation, which a quote from the middle of a line does not show.
  if (text === undefined || edit.newLines.length > edit.oldLines.length)
    return { kind: 'unclear', firstLine, lastLine };
  return { kind: 'found', replacement: { start, end, text } };
}

/** Whether the quote ends in other blanks than the file has at a place where the line goes on. It means another place. */
function hasOtherEnds(file: FileLines, oldLines: readonly string[], { start, end }: Span): boolean {
  const [quoted, actual] = [oldLines.join('\n'), file.text.slice(start, end)];
  const differs = (blanks: RegExp): boolean => blanks.exec(quoted)?.[0] !== blanks.exec(actual)?.[0];
  const lead = file.text.slice(file.startOf(file.lineAt(start)), start);
  const rest = file.text.slice(end, file.endOf(file.lineAt(Math.max(0, end - 1))));
  return (!isBlank(lead) && differs(/^[ \t]*/)) || (!isBlank(rest) && differs(/[ \t]*$/));
}

/** Whether a quote of several lines begins or ends within a word. Then a letter is missing, and it means whole lines. */
function isTorn(oldLines: readonly string[], lead: string, rest: string): boolean {
  const [first = '', last = ''] = [oldLines[0], oldLines.at(-1)];
  return (/[\w$]$/.test(lead) && /^[\w$]/.test(first)) || (/^[\w$]/.test(rest) && /[\w$]$/.test(last));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function findInLines(file: FileLines, wanted: string): readonly Span[] {
  const found: Span[] = [];
  for (let line = 0; line < file.count; line++) {
    const content = file.contentOf(line);
    const plain = toPlain(content);
    for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1)) {
      const start = file.startOf(line) + rawOffset(content, at);
      found.push({ start, end: file.startOf(line) + rawOffset(content, at + wanted.length) });
    }
  }
  return found;
}

function findAcrossLines(file: FileLines, wanted: readonly string[]): readonly Span[] {
  const inner = wanted.slice(1, -1);
  const [head = '', tail = ''] = [wanted[0], wanted.at(-1)];
  const innerStarts = inner.length > 0 ? file.find(inner, PLAIN) : undefined;
  const found: Span[] = [];
  const firstLines = innerStarts
    ? innerStarts.map((line) => line - 1)
    : Array.from({ length: file.count }, (_, line) => line);
  for (const line of firstLines) {
    if (line < 0 || line + wanted.length > file.count) continue;
    const first = toPlain(file.contentOf(line));
    if (!first.endsWith(head)) continue;
    const last = line + wanted.length - 1;
    if (!toPlain(file.contentOf(last)).startsWith(tail)) continue;
    const start = file.startOf(line) + rawOffset(file.contentOf(line), first.length - head.length);
    found.push({ start, end: file.startOf(last) + rawOffset(file.contentOf(last), tail.length) });
  }
  return found;
}

/** The offset in a line for an offset in its plain form. */
function rawOffset(line: string, plainOffset: number): number {
  let [raw, plain] = [0, 0];
  for (const unit of unitsOf(line)) {
    if (plain >= plainOffset) break;
    raw += unit.raw.length;
    plain += unit.plain.length;
  }
  return raw;
}
