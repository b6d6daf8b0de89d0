import { findAddedMarks } from './addedMarks/findAddedMarks';
import { FileLines } from './fileLines';
import { BYTE_ORDER_MARK, withLineEnds } from './lineEnds';
import { areNumbered, findNumberedLine } from './lineNumbers';
import { looserMatch, matchEdit, type Match, type TextEdit } from './matchEdit';
import type { MatchKind } from './matchKind';
import { findNearestRegion, shownRegion, type Region } from './nearestRegion';
import { findPlaceholder } from './placeholders';
import { findReadNotice } from './readNotices';

/** Why a batch was refused. `index` counts its edits from 0. Lines count from 1. */
export type EditFailure =
  | { readonly reason: 'empty_old_text'; readonly index: number }
  | { readonly reason: 'nothing_to_change'; readonly index: number }
  /** The edit quotes a line that `read_file` added. */
  | { readonly reason: 'read_notice'; readonly index: number; readonly line: string }
  /** The new text has a line that stands for left-out code. */
  | { readonly reason: 'placeholder'; readonly index: number; readonly line: string }
  /** The lines of the new text start with their numbers, those of the old text do not. */
  | { readonly reason: 'numbered'; readonly index: number; readonly line: string }
  /** Only the new text is written in this way, beside another change. */
  | { readonly reason: 'added_marks'; readonly index: number; readonly marks: string }
  | { readonly reason: 'ambiguous'; readonly index: number; readonly lines: readonly number[] }
  /** The place was found, but the quote differs from it, and the meant change is unclear. */
  | { readonly reason: 'unclear'; readonly index: number; readonly nearest: Region }
  | {
      readonly reason: 'absent';
      readonly index: number;
      readonly nearest: Region | undefined;
      /** The file already has the new text: the edit was probably made before. */
      readonly isApplied: boolean;
    }
  | { readonly reason: 'overlapping'; readonly index: number; readonly otherIndex: number };

export type EditResult =
  /** `match` is the most tolerant way in which a quote of the batch was found. */
  | { readonly ok: true; readonly text: string; readonly match: MatchKind }
  | { readonly ok: false; readonly failure: EditFailure };

/**
 * Applies all edits of a batch, or none. Looks for each edit in the original text. If one has no exact match, the batch may
 * be a sequence in which each edit changes the result of the edit before: it is applied so if all edits then match exactly.
 */
export function applyEdits(text: string, given: readonly TextEdit[]): EditResult {
  const file = new FileLines(text);
  const edits = withoutSecondMark(text, withKnownLineEnds(text, given));
  const known = new Map<string, number>();
  for (const [index, edit] of edits.entries()) {
    const failure = checkEdit(file, edit, index) ?? checkRepetition(known, edit, index);
    if (failure) return { ok: false, failure };
  }
  const matches = edits.map((edit) => matchEdit(file, edit));
  const isStrict = matches.every((match) => match.kind === 'found' && STRICT.has(match.match));
  const atOnce = combine(file, edits, matches);
  if ((isStrict && atOnce.ok) || edits.length === 1) return atOnce;
  const isMadeByAnother = matches.some(({ kind }) => kind === 'none');
  const inSequence =
    isMadeByAnother && edits.length <= MAX_SEQUENCE ? applyInSequence(text, edits, matches) : undefined;
  return inSequence ?? atOnce;
}

/** A file that has a byte order mark keeps it, so the one at the start of a new text is not a second one. */
function withoutSecondMark(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const isSecond = ({ oldText, newText }: TextEdit): boolean =>
    newText.startsWith(BYTE_ORDER_MARK) && !oldText.startsWith(BYTE_ORDER_MARK);
  if (!text.startsWith(BYTE_ORDER_MARK)) return edits;
  return edits.map((edit) =>
    isSecond(edit) ? { ...edit, newText: edit.newText.slice(BYTE_ORDER_MARK.length) } : edit,
  );
}

/** Reads returns without newlines as line ends, unless the file has such returns. */
function withKnownLineEnds(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const isOdd = (one: string): boolean => /\r(?!\n)/.test(one);
  if (!edits.some(({ oldText, newText }) => isOdd(oldText) || isOdd(newText)) || isOdd(text)) return edits;
  // A line end that was translated twice is one.
  const read = (one: string): string => one.replaceAll(/\r+(?=\r\n)/g, '').replaceAll(/\r(?!\n)/g, '\n');
  // Beside whole line ends, a return at the end is half of one. At the end of both texts it is the same.
  const isHalf = ({ oldText, newText }: TextEdit, one: string): boolean =>
    one.includes('\n') ||
    [oldText, newText].some((text) => text.includes('\r\n')) ||
    ([oldText, newText].every((text) => text.endsWith('\r')) && `${oldText}${newText}`.includes('\n'));
  return edits.map((edit) => {
    const readIn = (one: string): string => read(isHalf(edit, one) ? one.replace(/\r$/, '') : one);
    return { oldText: readIn(edit.oldText), newText: readIn(edit.newText) };
  });
}

const STRICT: ReadonlySet<MatchKind> = new Set(['exact', 'line_ends']);

/** More edits are not tried as a sequence, which indexes the whole text for each edit. */
const MAX_SEQUENCE = 100;

function checkEdit(file: FileLines, { oldText, newText }: TextEdit, index: number): EditFailure | undefined {
  if (oldText === '') return { reason: 'empty_old_text', index };
  if (withLineEnds(oldText, '\n') === withLineEnds(newText, '\n')) return { reason: 'nothing_to_change', index };
  const notice = findReadNotice(file, oldText) ?? findReadNotice(file, newText);
  if (notice !== undefined) return { reason: 'read_notice', index, line: notice };
  const numbered = areNumbered(oldText.split('\n')) ? undefined : findNumberedLine(file, newText, oldText);
  if (numbered !== undefined) return { reason: 'numbered', index, line: numbered };
  const placeholder = findPlaceholder(newText, file);
  if (placeholder !== undefined) return { reason: 'placeholder', index, line: placeholder };
  const marks = findAddedMarks(file, { oldText, newText });
  return marks === undefined ? undefined : { reason: 'added_marks', index, marks };
}

/** The same edit twice would change its own result. `known` collects the edits seen so far. */
function checkRepetition(known: Map<string, number>, edit: TextEdit, index: number): EditFailure | undefined {
  const key = JSON.stringify([edit.oldText.trim(), edit.newText.trim()]);
  const otherIndex = known.get(key);
  known.set(key, index);
  return otherIndex === undefined ? undefined : { reason: 'overlapping', index, otherIndex };
}

function combine(file: FileLines, edits: readonly TextEdit[], matches: readonly Match[]): EditResult {
  const places: { readonly index: number; readonly start: number; readonly end: number; readonly text: string }[] = [];
  let loosest: MatchKind = 'exact';
  for (const [index, match] of matches.entries()) {
    if (match.kind !== 'found') return { ok: false, failure: explain(file, edits[index] as TextEdit, index, match) };
    places.push({ index, ...match.replacement });
    loosest = looserMatch(loosest, match.match);
  }
  places.sort((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let position = 0;
  let previousIndex = 0;
  for (const { index, start, end, text } of places) {
    if (start < position) return { ok: false, failure: { reason: 'overlapping', index, otherIndex: previousIndex } };
    pieces.push(file.text.slice(position, start), text);
    position = end;
    previousIndex = index;
  }
  return { ok: true, text: pieces.join('') + file.text.slice(position), match: loosest };
}

function applyInSequence(text: string, edits: readonly TextEdit[], matches: readonly Match[]): EditResult | undefined {
  let current = text;
  let loosest: MatchKind = 'exact';
  let made: readonly { readonly start: number; readonly end: number }[] = [];
  for (const [index, edit] of edits.entries()) {
    const match = matchEdit(new FileLines(current), edit, { strictOnly: true });
    if (match.kind !== 'found') return undefined;
    const { start, end, text: replacement } = match.replacement;
    // Only an edit that needs the result of another may change it.
    if (matches[index]?.kind !== 'none' && made.some((other) => start < other.end && other.start < end))
      return undefined;
    const growth = replacement.length - (end - start);
    made = [
      ...made.map((other) => (other.start >= end ? { start: other.start + growth, end: other.end + growth } : other)),
      { start, end: start + replacement.length },
    ];
    current = current.slice(0, start) + replacement + current.slice(end);
    loosest = looserMatch(loosest, match.match);
  }
  return { ok: true, text: current, match: loosest };
}

function explain(
  file: FileLines,
  edit: TextEdit,
  index: number,
  match: Exclude<Match, { readonly kind: 'found' }>,
): EditFailure {
  switch (match.kind) {
    case 'ambiguous':
      return { reason: 'ambiguous', index, lines: match.starts.map((start) => file.lineAt(start) + 1) };
    case 'unclear': {
      const count = Math.min(match.lastLine - match.firstLine + 1, MAX_SHOWN_LINES);
      const lines = Array.from({ length: count }, (_, offset) => file.contentOf(match.firstLine + offset));
      const nearest = shownRegion(match.firstLine, lines);
      return { reason: 'unclear', index, nearest };
    }
    case 'none': {
      const newText = withLineEnds(edit.newText, '\n').trim();
      const isApplied = newText.length >= MIN_TELLING_LENGTH && withLineEnds(file.text, '\n').includes(newText);
      return { reason: 'absent', index, nearest: findNearestRegion(file.text, edit.oldText), isApplied };
    }
  }
}

const MAX_SHOWN_LINES = 40;

/** A shorter new text, such as `}`, is in most files and proves nothing. */
const MIN_TELLING_LENGTH = 12;
