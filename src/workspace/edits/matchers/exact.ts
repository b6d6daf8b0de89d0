import { PLAIN_WITHOUT_INDENTATION, WHOLE_LINE, type FileLines } from '../fileLines';
import { hasLoneReturn, isBlank, lineEndOf, linesOf, withLineEnds } from '../lineEnds';
import { partsOf } from '../replacement/indentation';
import { restoreReplacement } from '../replacement/restoreReplacement';
import { readBehindIndentation } from './behindIndentation';
import { NONE, type Replacement, type MatchResult } from './matcher';
import type { TextEdit } from '../textEdit';

/** A place of a quote in the file. Its line ends may differ. */
interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/** Matches the exact text. */
export function matchExact(file: FileLines, edit: TextEdit): MatchResult {
  const places = findOccurrences(file, edit.oldText);
  return decide(file, edit, places.some(({ start }) => file.text.startsWith(edit.oldText, start)) ? places : []);
}

/** Matches with other line ends, or with a final newline that the file does not have. */
export function matchLineEnds(file: FileLines, edit: TextEdit): MatchResult {
  const places = findOccurrences(file, edit.oldText);
  if (places.length > 0 || !edit.oldText.endsWith('\n') || file.text.endsWith('\n')) return decide(file, edit, places);
  const unfinished = { oldText: edit.oldText.replace(/\r?\n$/, ''), newText: edit.newText.replace(/\r?\n$/, '') };
  if (unfinished.oldText === '') return NONE;
  const atEnd = findOccurrences(file, unfinished.oldText).filter(
    ({ start, end }) => end === file.text.length && file.startOf(file.lineAt(start)) === start,
  );
  return decide(file, unfinished, atEnd);
}

function decide(file: FileLines, edit: TextEdit, places: readonly Occurrence[]): MatchResult {
  const [place] = places;
  if (!place) return NONE;
  if (places.length === 1) return replaceAt(file, edit, place);
  // `import os` does not mean `import os.path`. But a single word may mean a part of a line.
  const whole = places.filter((candidate) => isWhole(file, edit, candidate));
  const [only] = whole;
  if (only && whole.length === 1 && !/^\w*$/.test(edit.oldText.trim())) return replaceAt(file, edit, only);
  return { kind: 'ambiguous', starts: places.map(({ start }) => start) };
}

function isWhole(file: FileLines, { oldText }: TextEdit, place: Occurrence): boolean {
  return isSpace(leadOf(file, place)) && (oldText.endsWith('\n') || restOf(file, place) === '');
}

/** Only spaces and tabs, not a return alone. */
function isSpace(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

/** The text before the place in its line. */
function leadOf(file: FileLines, { start }: Occurrence): string {
  return file.text.slice(file.startOf(file.lineAt(start)), start);
}

/** The text after the place in its line. */
function restOf(file: FileLines, { end }: Occurrence): string {
  return file.text.slice(end, file.endOf(file.lineAt(Math.max(0, end - 1))));
}

function replaceAt(file: FileLines, edit: TextEdit, place: Occurrence): MatchResult {
  const { oldText, newText } = edit;
  const firstLine = file.lineAt(place.start);
  const lastLine = Math.max(firstLine, file.lineAt(Math.max(0, place.end - 1)));
  const lead = leadOf(file, place);
  const isWholeLines = isWhole(file, edit, place);
  if (isWholeLines && newText === '' && !isBlank(oldText)) {
    const replacement = { start: file.startOf(firstLine), end: file.startOf(lastLine + 1), text: '' };
    return { kind: 'found', replacement };
  }
  if (!isWholeLines && isMisquotedElsewhere(file, edit, place)) return NONE;
  if (splitsBackslashes(edit, lead, restOf(file, place))) return { kind: 'unclear', firstLine, lastLine };
  // The blanks may be a line of the new text, or what stands before a closing mark.
  const endsInLostLine = oldText.endsWith('\n') && /\n[ \t]+$/.test(newText);
  if (endsInLostLine || repeatsLineBefore(edit, lead)) return { kind: 'unclear', firstLine, lastLine };
  // The quote stops before the blanks at the end of its line, and the new text may have them too.
  const rest = restOf(file, place);
  if (rest !== '' && isSpace(rest) && mayTakeBlanks(edit)) return { kind: 'unclear', firstLine, lastLine };
  // The quote ends in a line of blanks. The edit may mean to take these, or know nothing of the line.
  const endsInBlanks = /\n[ \t]+$/.test(oldText) && rest === '' && place.end < file.text.length;
  if (endsInBlanks && newText !== '' && lacksLastBlanks(edit)) return { kind: 'unclear', firstLine, lastLine };
  const kept = withTornEnds(file, edit, place);
  if (lead === '' || !isSpace(lead) || newText === '') {
    return { kind: 'found', replacement: styled(file, place, kept) };
  }
  const after = solidAfter(file, lastLine);
  const reading = readBehindIndentation(kept, {
    line: file.contentOf(firstLine),
    lead,
    depthAfter: partsOf(after).indentation.length,
    isClosedAfter: /^\s*(?:[\])}]|end\b|<\/)/.test(after),
  });
  if (!reading) return { kind: 'unclear', firstLine, lastLine };
  const start = reading.isFromLineStart ? file.startOf(firstLine) : place.start;
  return { kind: 'found', replacement: styled(file, { start, end: place.end }, reading.edit) };
}

/**
 * Whether the quote begins or ends between two backslashes that belong together, and the new text has more of them there: then
 * the quote may have half of them by mistake.
 */
function splitsBackslashes({ oldText, newText }: TextEdit, lead: string, rest: string): boolean {
  const [before, oldStart, newStart] = [rowAtEnd(lead), rowAtStart(oldText), rowAtStart(newText)];
  const [after, oldEnd, newEnd] = [rowAtStart(rest), rowAtEnd(oldText), rowAtEnd(newText)];
  return (
    (before % 2 === 1 && oldStart > 0 && newStart > oldStart) || (after > 0 && oldEnd % 2 === 1 && newEnd > oldEnd)
  );
}

function rowAtStart(text: string): number {
  return /^\\*/.exec(text)?.[0].length ?? 0;
}

function rowAtEnd(text: string): number {
  return /(?<!\\)\\*$/.exec(text)?.[0].length ?? 0;
}

/** Whether the quote begins with the end of a line that the new text then has again. The quote left this line out. */
function repeatsLineBefore({ oldText, newText }: TextEdit, lead: string): boolean {
  const [[ofOld, oldFirst], [ofNew, newFirst]] = [oldText, newText].map((text) => linesOf(text)) as [
    string[],
    string[],
  ];
  const isTorn = !isBlank(lead) && ofOld === '' && ofNew === '';
  return isTorn && newFirst?.trim() === lead.trim() && oldFirst?.trim() !== lead.trim();
}

/** The next line that is not blank; empty if there is none. */
function solidAfter(file: FileLines, line: number): string {
  let next = line + 1;
  while (next < file.count && isBlank(file.contentOf(next))) next++;
  return file.contentOf(next);
}

/** Whether the new text has blanks at its end, or has the last quoted line before other lines, to which the blanks may belong. */
function mayTakeBlanks({ oldText, newText }: TextEdit): boolean {
  const lines = linesOf(newText).map((line) => line.trim());
  const last = linesOf(oldText).at(-1)?.trim() ?? '';
  return /\S[ \t]+$/.test(newText) || (lines.at(-1) !== last && lines.includes(last));
}

/** Whether the new text neither ends in such blanks nor has more lines of them than the quote has before its last line, which is one. */
function lacksLastBlanks({ oldText, newText }: TextEdit): boolean {
  const blanks = linesOf(oldText).at(-1) ?? '';
  const count = (text: string): number => linesOf(text).filter((line) => line === blanks).length;
  return linesOf(newText).at(-1) !== blanks && count(newText) < count(oldText);
}

/**
 * The quote may begin or end with a part of a neighbouring line: only its line end, or only its indentation. A new text that
 * leaves this out does not mean to join or indent that line, so it stays.
 */
function withTornEnds(file: FileLines, edit: TextEdit, place: Occurrence): TextEdit {
  const { oldText } = edit;
  let { newText } = edit;
  if (isBlank(oldText)) return edit;
  const startsWithLine = /^\r?\n/.test(oldText);
  const indentation = /\n([ \t]+)$/.exec(oldText)?.[1];
  const hasNext = place.end < file.text.length;
  if (newText === '') {
    // Removing lines neither joins the lines around them nor indents the next one anew.
    const lead = leadOf(file, place);
    const isAfterText = startsWithLine && lead.trim() !== '';
    if (!/\n[ \t]*$/.test(oldText) || !(isAfterText || lead === '')) return edit;
    return { oldText, newText: (isAfterText ? '\n' : '') + (hasNext ? (indentation ?? '') : '') };
  }
  if (startsWithLine && !/^\r?\n/.test(newText) && leadOf(file, place).trim() !== '') newText = `\n${newText}`;
  // A whole line of blanks is in the new text too.
  const isWholeLine = restOf(file, place) === '';
  if (indentation !== undefined && hasNext && !isWholeLine && !/\n[ \t]+$/.test(newText)) {
    newText = newText.replace(/\r?\n$/, '') + `\n${indentation}`;
  } else if (oldText.endsWith('\n') && !newText.endsWith('\n') && (startsWithLine || isSpace(leadOf(file, place)))) {
    newText += '\n';
  }
  return newText === edit.newText ? edit : { oldText, newText };
}

/**
 * Whether a quote of a part of a line is probably a quote of whole lines with a mistake at its edge, such as a missing letter.
 * Then a later rung decides.
 */
function isMisquotedElsewhere(file: FileLines, { oldText, newText }: TextEdit, place: Occurrence): boolean {
  const lines = linesOf(oldText);
  const [lead, rest] = [leadOf(file, place), oldText.endsWith('\n') ? '' : restOf(file, place)];
  if (lines.length > 1) {
    const isTornAtStart = /[\w$]$/.test(lead) && /^[\w$]/.test(oldText);
    const isTornAtEnd = /^[\w$]/.test(rest) && /[\w$]$/.test(oldText);
    if (isTornAtStart || isTornAtEnd) return true;
    const isStartLost = !isBlank(lead) && lead.trim().length <= 2 && newText[0] !== oldText[0];
    const isEndLost = !isBlank(rest) && rest.trim().length <= 2 && newText.at(-1) !== oldText.at(-1);
    if (isStartLost || isEndLost) return true;
  }
  if (oldText.trim() === oldText) return false;
  const line = file.lineAt(place.start);
  return file.find(lines, PLAIN_WITHOUT_INDENTATION).some((other) => other !== line);
}

/** The new text with the line ends of the replaced text. If these are mixed, unchanged lines keep theirs. */
function styled(file: FileLines, { start, end }: Occurrence, edit: TextEdit): Replacement {
  const old = file.text.slice(start, end);
  // Returns are text here, and the quote has each of them.
  if (hasLoneReturn(old) && old === edit.oldText) return { start, end, text: edit.newText };
  const newlines = old.split('\n').length - 1;
  const pairs = old.split('\r\n').length - 1;
  if (pairs === 0 || pairs === newlines) {
    const lineEnd = lineEndOf(old) ?? file.lineEndAfter(file.lineAt(start)) ?? '\n';
    const text = withLineEnds(
      edit.newText,
      (lineEnd || lineEndOf(file.text) || lineEndOf(edit.newText) || '\n') as '\n',
    );
    return { start, end, text };
  }
  const actual = [...old.matchAll(/([^\n]*?)(\r?\n|$)/g)]
    .filter(([all], index, { length }) => all !== '' || index + 1 < length)
    .map(([, text = '', lineEnd = '']) => ({ text, lineEnd }));
  const oldLines = actual.map(({ text }) => text);
  const newLines = linesOf(edit.newText);
  const actualOf = oldLines.map((_, index) => index);
  const shared = { isFirstPartial: true, lineEnd: file.lineEnd, fileText: file.text };
  const text =
    restoreReplacement({ oldLines, newLines, actual, actualOf, ...shared }) ?? withLineEnds(edit.newText, '\n');
  const lastLineEnd = edit.newText.endsWith('\n') ? actual.at(-1)?.lineEnd || file.lineEnd : '';
  return { start, end, text: newLines.length === 0 ? '' : text + lastLineEnd };
}

/** All occurrences, also overlapping ones. None between `\r` and `\n`. */
function findOccurrences(file: FileLines, oldText: string): readonly Occurrence[] {
  const pieces = oldText.split(/\r?\n/);
  const places = pieces.length < 3 ? findByText(file.text, pieces) : findByLines(file, pieces);
  const isTorn = (offset: number): boolean => file.text[offset - 1] === '\r' && file.text[offset] === '\n';
  return places.filter(({ start, end }) => !isTorn(start) && !isTorn(end));
}

function findByText(text: string, pieces: readonly string[]): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const lineEnd of pieces.length === 1 ? [''] : ['\n', '\r\n']) {
    const wanted = pieces.join(lineEnd);
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
      found.push({ start: at, end: at + wanted.length });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** Finds the inner lines by the index. The first and last piece may be parts of lines. */
function findByLines(file: FileLines, pieces: readonly string[]): readonly Occurrence[] {
  const [head = '', tail = ''] = [pieces[0], pieces.at(-1)];
  const found: Occurrence[] = [];
  for (const inner of file.find(pieces.slice(1, -1), WHOLE_LINE)) {
    const last = inner + pieces.length - 2;
    // The last inner line needs a line end, and the first inner line needs a line before it.
    if (inner === 0 || file.lineEndAfter(last - 1) === '') continue;
    const start = file.endOf(inner - 1) - head.length;
    if (start < file.startOf(inner - 1) || !file.text.startsWith(head, start)) continue;
    if (file.startOf(last) + tail.length > file.endOf(last) || !file.text.startsWith(tail, file.startOf(last)))
      continue;
    found.push({ start, end: file.startOf(last) + tail.length });
  }
  return found;
}
