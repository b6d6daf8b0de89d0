import { lineEndOf, withLineEnds } from './lineEnds';

/** Replaces one stretch of a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** A stretch of the original text, as offsets, and what takes its place. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type MatchStepName = (typeof STEPS)[number]['name'];

export type Match =
  | { readonly kind: 'found'; readonly step: MatchStepName; readonly replacement: Replacement }
  | { readonly kind: 'ambiguous'; readonly starts: readonly number[] }
  | { readonly kind: 'absent' };

/**
 * Finds the one place an edit means. The steps go from strict to tolerant; the first that finds anything decides, and
 * more than one place is ambiguous. Spans are offsets into `text` as it is, and the replacement has its line ends, so
 * that everything outside the span stays byte for byte. `oldText` must not be empty.
 */
export function matchEdit(text: string, edit: TextEdit): Match {
  for (const { name, find } of STEPS) {
    const found = find(text, edit);
    const [replacement, another] = found;
    if (another) return { kind: 'ambiguous', starts: found.map(({ start }) => start) };
    if (replacement) return { kind: 'found', step: name, replacement };
  }
  return { kind: 'absent' };
}

const STEPS = [
  { name: 'exact', find: findExact },
  { name: 'line_ends', find: findWithAnyLineEnds },
] as const;

/** Not in between `\r` and `\n`: a replacement that tears them apart would mix line ends. */
function findExact(text: string, edit: TextEdit): Replacement[] {
  const isTorn = (offset: number): boolean => text[offset - 1] === '\r' && text[offset] === '\n';
  return occurrences(text, edit.oldText)
    .map((start) => ({ start, end: start + edit.oldText.length }))
    .filter(({ start, end }) => !isTorn(start) && !isTorn(end))
    .map(({ start, end }) => toReplacement(text, start, end, edit));
}

/** With `\r\n` and `\n` taken for the same, and a final newline that the file does not have forgiven. */
function findWithAnyLineEnds(text: string, edit: TextEdit): Replacement[] {
  const plain = new TextWithoutReturns(text);
  const oldText = withLineEnds(edit.oldText, '\n');
  const found = occurrences(plain.text, oldText).map((start) =>
    toReplacement(text, plain.originalOffset(start), plain.originalOffset(start + oldText.length), edit),
  );
  if (found.length > 0 || !oldText.endsWith('\n') || plain.text.endsWith('\n')) return found;

  const unfinished = oldText.slice(0, -1);
  const start = plain.text.length - unfinished.length;
  const isAtLineStart = start === 0 || plain.text[start - 1] === '\n';
  if (unfinished === '' || !isAtLineStart || !plain.text.endsWith(unfinished)) return [];
  const newText = edit.newText.replace(/\r?\n$/, '');
  return [toReplacement(text, plain.originalOffset(start), text.length, { oldText: unfinished, newText })];
}

function toReplacement(text: string, start: number, end: number, edit: TextEdit): Replacement {
  const lineEnd = lineEndOf(text.slice(start, end)) ?? lineEndOf(text) ?? lineEndOf(edit.newText) ?? '\n';
  return { start, end, text: withLineEnds(edit.newText, lineEnd) };
}

/** Overlapping occurrences count: each is a place the edit could mean. */
function occurrences(text: string, wanted: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) starts.push(at);
  return starts;
}

/** A text with `\n` for `\r\n`, and the way back to offsets of the original. */
class TextWithoutReturns {
  readonly text: string;
  /** Offsets, in the shortened text, of the newlines that lost their return; ascending. */
  readonly #newlines: number[] = [];

  constructor(original: string) {
    this.text = withLineEnds(original, '\n');
    if (this.text.length === original.length) return;
    for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) {
      this.#newlines.push(at - this.#newlines.length);
    }
  }

  originalOffset(offset: number): number {
    let low = 0;
    let high = this.#newlines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#newlines[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  }
}
